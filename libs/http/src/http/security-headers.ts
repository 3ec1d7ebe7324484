/**
 * What every answer says to browsers, whatever it is: a page sets its own policy and its own caching over these. There is no
 * `Strict-Transport-Security`: it means nothing over plain HTTP (RFC 6797, 7.2), so it is set where TLS ends.
 */
export const SECURITY_HEADERS = {
  // Most answers belong to an account; what may be kept says so itself.
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const;
