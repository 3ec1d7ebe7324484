import { type Plan, SCOPES, type Scope } from '@carbon/auth';
import { Logger, type OnApplicationBootstrap } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

/** The account of every caller while the gateway is open. */
export const OPEN_ACCOUNT = 'default';

/** The caller. Every event, row and call to another app has this account, and takes it only from here. */
export interface Caller {
  readonly account: string;
  readonly scopes: ReadonlySet<Scope>;
  /** The API key; none while the gateway is open. Its id is public and may appear in logs. */
  readonly key?: { readonly id: string; readonly plan: Plan; readonly idempotencyKeyRequired?: boolean };
}

/** The property of a request that holds its caller. */
export const CALLER = Symbol('caller');

/** A request that may have passed admission control. */
export interface CallerHolder {
  [CALLER]?: Caller | undefined;
}

/** Returns the caller of an admitted request. Every request under /v1 is admitted before its handler runs. */
export function callerOf(request: FastifyRequest & CallerHolder): Caller {
  const caller = request[CALLER];
  if (caller === undefined) throw new Error('This route names no scope, so its caller is unknown');
  return caller;
}

/** Determines the caller. */
export abstract class Authenticator {
  /**
   * Returns the caller of a request.
   * @throws RequestError `unauthorized`, the same for every error in the key
   */
  abstract authenticate(request: Pick<FastifyRequest, 'raw'>): Caller;
}

const ANONYMOUS: Caller = { account: OPEN_ACCOUNT, scopes: new Set(SCOPES) };

/** Open mode: no key is needed, and every caller has the same account. The settings refuse it in production. */
export class AnonymousAuthenticator extends Authenticator implements OnApplicationBootstrap {
  private readonly logger = new Logger('auth');

  onApplicationBootstrap(): void {
    this.logger.warn(
      `OPEN MODE: no API key is required, and every caller has the account "${OPEN_ACCOUNT}". ` +
        'Everyone who can reach this port can create, read and list all offsets.',
    );
  }

  authenticate(): Caller {
    return ANONYMOUS;
  }
}
