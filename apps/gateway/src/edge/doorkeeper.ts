import type { FastifyRequest } from 'fastify';
import type { AdmissionStep, Visit } from './admission-step.js';
import type { Caller } from './caller.js';

/** Tells who calls. */
export abstract class Doorkeeper implements AdmissionStep {
  /**
   * The caller of a request.
   * @throws RequestError `unauthorized`, always the same, whatever is wrong with the key
   */
  abstract identify(request: FastifyRequest): Caller;

  admit(visit: Visit): void {
    visit.caller = this.identify(visit.request);
  }
}
