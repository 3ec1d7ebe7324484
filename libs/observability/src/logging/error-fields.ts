import { withoutSecrets } from '@carbon/auth';
import { isError } from './is-error.js';

/** What is logged of an error. */
export interface ErrorFields {
  readonly type: string;
  readonly message: string;
  readonly code?: string;
  readonly stack?: string;
  readonly cause?: ErrorFields;
}

const DEEPEST_CAUSE = 5;

/**
 * An error's name, sentence, code, stack and causes. Other properties stay out: database and HTTP clients hang queries
 * with their parameters, bodies and headers on their errors.
 */
export function errorFields(error: unknown, depth = 0): ErrorFields {
  if (!isError(error)) return { type: typeof error, message: withoutSecrets(String(error)).slice(0, 1_000) };
  const code = ['string', 'number'].includes(typeof error.code) ? String(error.code) : undefined;
  return {
    type: error.name,
    message: withoutSecrets(error.message).slice(0, 2_000),
    ...(code !== undefined && { code }),
    ...(error.stack !== undefined && { stack: withoutSecrets(error.stack).slice(0, 8_000) }),
    ...(error.cause !== undefined && depth < DEEPEST_CAUSE && { cause: errorFields(error.cause, depth + 1) }),
  };
}
