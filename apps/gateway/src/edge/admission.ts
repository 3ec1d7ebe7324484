import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AdmissionStep, Visit } from './admission-step.js';
import { CALLER, type CallerHolder } from './caller.js';
import { InWork } from './in-work.js';
import { CallerLimit } from './limits/caller-limit.js';
import { LimitedDoor } from './limits/limited-door.js';
import { refuseRoutesWithoutScope, scopeOf } from './route-scopes.js';
import { ScopeCheck } from './scope-check.js';

/** Decides about every request to a route that names a scope, before a byte of its body is read. */
@Injectable()
export class Admission implements OnModuleInit {
  /** In this order; the first to throw decides. */
  private readonly steps: readonly AdmissionStep[];

  constructor(
    private readonly host: HttpAdapterHost,
    door: LimitedDoor,
    callerLimit: CallerLimit,
    inWork: InWork,
  ) {
    this.steps = [door, callerLimit, new ScopeCheck(), inWork];
  }

  /** Before the routes are made, so that each is checked. */
  onModuleInit(): void {
    const fastify: FastifyInstance = this.host.httpAdapter.getInstance();
    refuseRoutesWithoutScope(fastify);
    // Declared, so that setting it does not change the shape of every request.
    fastify.decorateRequest(CALLER, undefined);
    fastify.addHook('onRequest', (request, reply, done) => this.decide(request, reply, done));
  }

  private decide(request: FastifyRequest & CallerHolder, reply: FastifyReply, done: (fault?: Error) => void): void {
    const scope = scopeOf(request.routeOptions.config);
    if (scope === undefined) {
      done();
      return;
    }
    const visit: Visit = { request, reply, scope };
    const admitted = () => {
      request[CALLER] = visit.caller;
      done();
    };
    try {
      const awaited = this.walk(visit, 0);
      if (awaited === undefined) admitted();
      else awaited.then(admitted, done);
    } catch (fault) {
      done(fault as Error);
    }
  }

  /** Takes the steps from `at` on; waits only where one of them does. */
  private walk(visit: Visit, at: number): Promise<void> | undefined {
    for (let step = at; step < this.steps.length; step += 1) {
      const awaited = this.steps[step]?.admit(visit);
      if (awaited !== undefined) return awaited.then(() => this.walk(visit, step + 1));
    }
    return undefined;
  }
}
