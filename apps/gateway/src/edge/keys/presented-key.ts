import type { IncomingMessage } from 'node:http';

const BEARER = /^Bearer +([^\s,]+)$/i;

/**
 * The key that a request shows, by `Authorization: Bearer` or by `X-API-Key`, or by both when they agree. Undefined where
 * there is none, and where there is more than one: of repeated headers node keeps the first or joins them, and another
 * server on the way may do otherwise, so that a request could be one caller's here and another's there.
 */
export function presentedKey({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): string | undefined {
  let bearer: string | undefined;
  let plain: string | undefined;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const value = rawHeaders[at + 1] ?? '';
    if (isNamed(rawHeaders[at], 'authorization')) {
      if (bearer !== undefined) return undefined;
      bearer = BEARER.exec(value)?.[1] ?? '';
    } else if (isNamed(rawHeaders[at], 'x-api-key')) {
      if (plain !== undefined) return undefined;
      plain = value.trim();
    }
  }
  return bearer === undefined || plain === undefined || bearer === plain ? (bearer ?? plain) : undefined;
}

/** The length first: most headers are others. */
function isNamed(name: string | undefined, looked: string): boolean {
  return name?.length === looked.length && name.toLowerCase() === looked;
}
