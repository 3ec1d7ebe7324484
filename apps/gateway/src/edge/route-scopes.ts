import { SCOPES, type Scope } from '@carbon/auth';
import type { FastifyInstance, RouteOptions } from 'fastify';

const KEYED = '/v1/';
const KNOWN: ReadonlySet<unknown> = new Set(SCOPES);

/** The scope a route asks for, as its `@RouteConfig({ scope })` says; none for the routes that everybody may ask. */
export function scopeOf(config: object): Scope | undefined {
  return 'scope' in config && KNOWN.has(config.scope) ? (config.scope as Scope) : undefined;
}

/** Lets the gateway not start with a route under /v1 that anybody could call because its scope was forgotten. */
export function refuseRoutesWithoutScope(fastify: FastifyInstance): void {
  fastify.addHook('onRoute', ({ method, url, config = {} }: RouteOptions) => {
    const named = (config as { scope?: unknown }).scope;
    const isWrong = named === undefined ? url.startsWith(KEYED) : scopeOf(config) === undefined;
    if (!isWrong) return;
    const wrong = named === undefined ? 'names no scope' : `names the unknown scope ${JSON.stringify(named)}`;
    throw new Error(`${method} ${url} ${wrong}: give its handler @RouteConfig({ scope: '${SCOPES.join("' | '")}' })`);
  });
}
