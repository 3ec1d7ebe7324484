import { SCOPES, type Scope } from '@carbon/auth';
import { RequestError } from '@carbon/http';
import type { FastifyInstance, RouteOptions } from 'fastify';
import type { Caller } from './authenticator.js';

const API_PREFIX = '/v1/';
const KNOWN: ReadonlySet<unknown> = new Set(SCOPES);

/** Returns the scope of a route's `@RouteConfig({ scope })`, or undefined for a public route. */
export function scopeOf(config: object): Scope | undefined {
  return 'scope' in config && KNOWN.has(config.scope) ? (config.scope as Scope) : undefined;
}

/** Rejects routes under /v1 without a scope at startup, because anyone could call them. */
export function refuseRoutesWithoutScope(fastify: FastifyInstance): void {
  fastify.addHook('onRoute', ({ method, url, config = {} }: RouteOptions) => {
    const { scope } = config as { scope?: unknown };
    const isInvalid = scope === undefined ? url.startsWith(API_PREFIX) : scopeOf(config) === undefined;
    if (!isInvalid) return;
    const problem = scope === undefined ? 'names no scope' : `names the unknown scope ${JSON.stringify(scope)}`;
    throw new Error(`${method} ${url} ${problem}: give its handler @RouteConfig({ scope: '${SCOPES.join("' | '")}' })`);
  });
}

/** Requires that the caller's key has the scope of the route. @throws RequestError `forbidden` */
export function requireScope({ caller, scope }: { readonly caller?: Caller; readonly scope: Scope }): void {
  if (!caller?.scopes.has(scope)) throw missingScope(scope);
}

/** Returns the 403 error for a key without the scope. */
export function missingScope(scope: Scope): RequestError {
  return new RequestError('forbidden', `This key lacks the scope ${scope}. Use a key that has it, or ask for one.`);
}
