import type { IncomingMessage } from 'node:http';
import { RequestError } from '@carbon/http';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Authenticator, type Caller } from './authenticator.js';
import { KeyFileWatcher } from './key-file-watcher.js';

/** A request without a key is looked up as well, so that it takes the same time. */
const NO_KEY = '';

const BEARER = /^Bearer +([^\s,]+)$/i;

/** Authenticates a caller by its API key. Nothing is cached between requests. */
@Injectable()
export class ApiKeyAuthenticator extends Authenticator {
  constructor(private readonly keyFile: KeyFileWatcher) {
    super();
  }

  authenticate({ raw }: Pick<FastifyRequest, 'raw'>): Caller {
    const key = this.keyFile.keys.holderOf(presentedKey(raw) ?? NO_KEY, Date.now());
    if (key === undefined) throw invalidKey();
    return { account: key.account, scopes: key.scopes, key };
  }
}

/** The 401: the same sentence for every invalid key, so that it does not reveal how close a guess was. */
export function invalidKey(): RequestError {
  const detail =
    'Send a valid key, once, as "Authorization: Bearer <key>" or as "X-API-Key: <key>". It may be mistyped, expired or revoked.';
  return new RequestError('unauthorized', detail);
}

/**
 * Returns the key of `Authorization: Bearer`, of `X-API-Key`, or of both when they agree. Returns undefined for no key, for two
 * different keys, and for repeated headers: proxies may pick different ones, so a proxy could see a different caller than the
 * gateway does.
 */
export function presentedKey({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): string | undefined {
  let bearer: string | undefined;
  let apiKeyHeader: string | undefined;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const value = rawHeaders[at + 1] ?? '';
    if (isHeader(rawHeaders[at], 'authorization')) {
      if (bearer !== undefined) return undefined;
      bearer = BEARER.exec(value)?.[1] ?? '';
    } else if (isHeader(rawHeaders[at], 'x-api-key')) {
      if (apiKeyHeader !== undefined) return undefined;
      apiKeyHeader = value.trim();
    }
  }
  return bearer === undefined || apiKeyHeader === undefined || bearer === apiKeyHeader
    ? (bearer ?? apiKeyHeader)
    : undefined;
}

/** Compares the length first, because most header names differ in it. */
function isHeader(name: string | undefined, expected: string): boolean {
  return name?.length === expected.length && name.toLowerCase() === expected;
}
