/** What a key may be allowed to do. */
export const SCOPES = ['offsets:write', 'offsets:read', 'assets:read'] as const;

/** One of {@link SCOPES}. */
export type Scope = (typeof SCOPES)[number];
