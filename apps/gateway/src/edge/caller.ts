import type { Plan, Scope } from '@carbon/auth';
import type { FastifyRequest } from 'fastify';

/** Who calls. The account stands in every event, row and question from the edge on, and comes from nowhere else. */
export interface Caller {
  readonly account: string;
  readonly scopes: ReadonlySet<Scope>;
  /** The key that was shown; none while the gateway is open. Its id is public: it may stand in logs and counters. */
  readonly key?: { readonly id: string; readonly plan: Plan };
}

/** Where a request holds its caller. */
export const CALLER = Symbol('caller');

/** A request that may have been admitted. */
export interface CallerHolder {
  [CALLER]?: Caller | undefined;
}

/** Who makes an admitted request. That it was admitted is a matter of its route: every route under /v1 is. */
export function callerOf(request: FastifyRequest & CallerHolder): Caller {
  const caller = request[CALLER];
  if (caller === undefined) throw new Error('This route admits everybody: it names no scope, so that nobody is known');
  return caller;
}
