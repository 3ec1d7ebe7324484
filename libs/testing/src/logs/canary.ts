/**
 * Stands in test data that must not be logged: customers' references, bodies, headers, queries. After all tests every log
 * is searched for it, so whoever puts it into a request also tests that no log holds that part of it.
 */
export const CANARY = 'canary-3e1f9b';
