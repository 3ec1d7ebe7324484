import type { Scope } from '@carbon/auth';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from './caller.js';

/** A request on its way in: its head is read, its body is not. */
export interface Visit {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** What its route asks for. */
  readonly scope: Scope;
  /** Known from the step on that reads the key. */
  caller?: Caller;
}

/** One thing a request must pass before its body is read. */
export interface AdmissionStep {
  /**
   * Lets the request pass, or throws the fault it is answered with. A promise only where something must be awaited: it
   * costs every request a turn.
   */
  admit(visit: Visit): void | Promise<void>;
}
