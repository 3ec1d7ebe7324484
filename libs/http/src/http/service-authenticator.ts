import { hash, timingSafeEqual } from 'node:crypto';
import type { OnModuleInit } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { RequestError } from '../api-error.js';

/** The header in which an app proves to another that it belongs to the system. */
export const INTERNAL_SECRET = 'x-internal-secret';

/** What everybody may ask: it tells nothing of any account. */
const OPEN = /^\/(health\/|metrics$)/;

/** What of Nest's `HttpAdapterHost` is used. */
export interface FastifyHost {
  readonly httpAdapter: { getInstance<T>(): T };
}

/**
 * Keeps everybody out of an app but the gateway, which alone knows whose question it is: whoever reached the app's port could
 * otherwise name any account. The one secret in `X-Internal-Secret` must be one of ours; all of them are taken, so that they
 * can be changed one app after the other.
 */
export class ServiceAuthenticator implements OnModuleInit {
  private readonly digests: readonly Buffer[];

  constructor(
    private readonly host: FastifyHost,
    secrets: readonly string[],
  ) {
    if (secrets.length === 0) throw new RangeError('Without a secret nobody could come in.');
    this.digests = secrets.map(digestOf);
  }

  /** Before the routes are made, so that it stands before each, also before those that are added later. */
  onModuleInit(): void {
    this.host.httpAdapter.getInstance<FastifyInstance>().addHook('onRequest', (request, _reply, done) => {
      const isOpen = OPEN.test(request.routeOptions.url ?? '');
      done(isOpen || this.knows(request.headers[INTERNAL_SECRET]) ? undefined : refusal());
    });
  }

  /** Looks at each of ours, so that the time tells neither which it is nor how near a guess came. */
  private knows(given: string | string[] | undefined): boolean {
    const digest = digestOf(typeof given === 'string' ? given : '');
    return this.digests.map((own) => timingSafeEqual(own, digest)).includes(true);
  }
}

/** Of one length whatever is compared. */
function digestOf(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

function refusal(): RequestError {
  return new RequestError(
    'unauthorized',
    'This service answers the gateway alone, which proves itself by INTERNAL_SECRETS.',
  );
}
