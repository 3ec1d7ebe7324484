import type { IncomingMessage } from 'node:http';
import { headerValues, RequestError } from '@carbon/http';
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
export function presentedKey(request: Pick<IncomingMessage, 'rawHeaders'>): string | undefined {
  const [authorization, ...otherBearers] = headerValues(request, 'authorization');
  const [apiKeyHeader, ...otherKeys] = headerValues(request, 'x-api-key');
  if (otherBearers.length > 0 || otherKeys.length > 0) return undefined;
  const bearer = authorization === undefined ? undefined : (BEARER.exec(authorization)?.[1] ?? '');
  const apiKey = apiKeyHeader?.trim();
  return bearer === undefined || apiKey === undefined || bearer === apiKey ? (bearer ?? apiKey) : undefined;
}
