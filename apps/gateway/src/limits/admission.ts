import type { Scope } from '@carbon/auth';
import type { OnModuleInit } from '@nestjs/common';
import type { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { CALLER, type Caller, type CallerHolder } from '../auth/authenticator.js';
import { refuseRoutesWithoutScope, scopeOf } from '../auth/scopes.js';

/** A request under admission control: its head is read, its body is not. */
export interface AdmissionContext {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** The scope of its route. */
  readonly scope: Scope;
  /** Set by authentication. */
  caller?: Caller;
}

/** Bounds the requests to public routes. Throws the error of the response. */
export interface PublicAdmission {
  admitPublic(request: FastifyRequest, reply: FastifyReply): void;
}

/** One check that a request must pass before its body is read. */
export interface AdmissionStep {
  /** Throws the error of the response. Returns a promise only to wait: it costs every request a tick. */
  admit(context: AdmissionContext): void | Promise<void>;
}

/**
 * Admission control: checks every request before a byte of its body is read, and every route for its scope. A Fastify hook and not
 * a Nest guard, because guards run after the body has been read.
 */
export class Admission implements OnModuleInit {
  /** @param steps run in this order; the first to throw decides */
  constructor(
    private readonly host: HttpAdapterHost,
    private readonly steps: readonly AdmissionStep[],
    private readonly publicRoutes: PublicAdmission,
  ) {
    // Nest adds the routes before it calls onModuleInit, and Fastify runs an onRoute hook only for later ones.
    refuseRoutesWithoutScope(host.httpAdapter.getInstance());
  }

  /** Fastify applies an onRequest hook to the routes that exist already, too. */
  onModuleInit(): void {
    const fastify: FastifyInstance = this.host.httpAdapter.getInstance();
    // Declared, so that setting it does not change the shape of every request.
    fastify.decorateRequest(CALLER, undefined);
    fastify.addHook('onRequest', (request, reply, done) => this.check(request, reply, done));
  }

  private check(request: FastifyRequest & CallerHolder, reply: FastifyReply, done: (error?: Error) => void): void {
    const scope = scopeOf(request.routeOptions.config);
    try {
      if (scope === undefined) {
        this.publicRoutes.admitPublic(request, reply);
        done();
        return;
      }
      const context: AdmissionContext = { request, reply, scope };
      const admit = () => {
        request[CALLER] = context.caller;
        done();
      };
      const pending = this.run(context, 0);
      if (pending === undefined) admit();
      else pending.then(admit, done);
    } catch (error) {
      done(error as Error);
    }
  }

  /** Runs the steps from `first` on; waits only if a step returns a promise. */
  private run(context: AdmissionContext, first: number): Promise<void> | undefined {
    for (let index = first; index < this.steps.length; index += 1) {
      const pending = this.steps[index]?.admit(context);
      if (pending !== undefined) return pending.then(() => this.run(context, index + 1));
    }
    return undefined;
  }
}
