import { hash, timingSafeEqual } from 'node:crypto';
import type { OnModuleInit } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { RequestError } from './errors.js';

/** The header with the secret that authenticates one app to another. */
export const INTERNAL_SECRET = 'x-internal-secret';

/** The routes without authentication: they reveal nothing about an account. */
const PUBLIC_ROUTE = /^\/(health\/|metrics$)/;

/** The part of Nest's `HttpAdapterHost` that the authenticator uses. */
export interface FastifyHost {
  readonly httpAdapter: { getInstance<T>(): T };
}

/**
 * Admits only callers with an internal secret to an app behind the gateway, because `X-Account` names any account. Every
 * configured secret is valid, so that secrets can be rotated one app after the other.
 */
export class ServiceAuthenticator implements OnModuleInit {
  private readonly digests: readonly Buffer[];

  constructor(
    private readonly host: FastifyHost,
    secrets: readonly string[],
  ) {
    if (secrets.length === 0) throw new RangeError('ServiceAuthenticator needs at least one secret');
    this.digests = secrets.map(digestOf);
  }

  /** Fastify applies an onRequest hook to the routes that exist already, too. */
  onModuleInit(): void {
    this.host.httpAdapter.getInstance<FastifyInstance>().addHook('onRequest', (request, _reply, done) => {
      const isPublic = PUBLIC_ROUTE.test(request.routeOptions.url ?? '');
      done(isPublic || this.isValid(request.headers[INTERNAL_SECRET]) ? undefined : unauthorized());
    });
  }

  /** Compares with every secret in constant time. */
  private isValid(given: string | string[] | undefined): boolean {
    const digest = digestOf(typeof given === 'string' ? given : '');
    return this.digests.map((own) => timingSafeEqual(own, digest)).includes(true);
  }
}

/** A digest has the same length for every secret. */
function digestOf(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

function unauthorized(): RequestError {
  return new RequestError(
    'unauthorized',
    'Only the gateway may call this service. It authenticates by INTERNAL_SECRETS.',
  );
}
