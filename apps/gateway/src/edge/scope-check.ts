import { RequestError } from '@carbon/http';
import type { AdmissionStep, Visit } from './admission-step.js';

/** Lets a caller pass whose key may do what the route does. */
export class ScopeCheck implements AdmissionStep {
  admit({ caller, scope }: Visit): void {
    if (caller?.scopes.has(scope)) return;
    throw new RequestError('forbidden', `This key lacks the scope ${scope}. Use one that has it, or ask for one.`);
  }
}
