import { MAX_ERROR_ITEMS, PROBLEMS, type ProblemCode } from '@carbon/http';
import { z } from 'zod';
import { bodyMistake, criteriaMistake, headerMistake, parameterMistake } from './mistakes.js';

const anyMistake = z.union([parameterMistake, bodyMistake, headerMistake]);

const listOf = (mistake: z.ZodType) =>
  z
    .array(mistake)
    .min(1)
    .max(MAX_ERROR_ITEMS)
    .meta({ description: `Every mistake, at most ${MAX_ERROR_ITEMS}.` });

const retryKey = z.string().meta({
  description: 'Sent as `Idempotency-Key` with the same body, it makes trying again safe: there will be one offset.',
});

const states = z.record(z.string(), z.enum(['up', 'down'])).meta({ description: 'Whether each dependency answers.' });

/** What problems of a code hold beside what all of them do. */
const MORE: Partial<Record<ProblemCode, Readonly<Record<string, z.ZodType>>>> = {
  invalid_request: { errors: listOf(anyMistake).optional() },
  invalid_criteria: {
    errors: listOf(criteriaMistake),
    snippet: z.string().meta({ description: 'The part of the criteria with the first mistake, and a caret under it.' }),
  },
  not_accepted: { retryKey },
  outcome_unknown: { retryKey },
  service_unavailable: {
    state: z.enum(['starting', 'draining', 'unavailable']).optional().meta({ description: 'Of `/health/ready` only.' }),
    waitingFor: z.array(z.string()).optional().meta({ description: 'Of `/health/ready` only: what its start lacks.' }),
    dependencies: states.optional().meta({ description: 'Of `/health/ready` only: whether each answers.' }),
  },
};

/** The problem document of a code (RFC 9457). */
function problemView(code: ProblemCode) {
  const { status, title } = PROBLEMS[code];
  return z
    .object({
      type: z.literal(`/problems/${code}`).meta({ description: 'The page that explains it.' }),
      title: z.string().meta({ examples: [title] }),
      status: z.literal(status),
      detail: z.string().meta({ description: 'What to do about it, for people.' }),
      instance: z
        .string()
        .regex(/^[A-Za-z0-9-]{1,64}$/)
        .meta({ description: 'The id of the request, as in `X-Request-Id`.' }),
      code: z.literal(code).meta({ description: 'What programs decide by: codes are stable, sentences are not.' }),
      ...MORE[code],
    })
    .meta({ description: `${title}.` });
}

/** The name of a code's schema: `InvalidRequestProblem`. */
export function problemName(code: ProblemCode): string {
  const words = code.split('_').map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`);
  return `${words.join('')}Problem`;
}

/** The codes of the list of faults. */
export const FAULT_CODES = Object.keys(PROBLEMS) as ProblemCode[];

/** The schema of every problem, by code. */
export const PROBLEM_VIEWS = Object.fromEntries(FAULT_CODES.map((code) => [code, problemView(code)])) as Readonly<
  Record<ProblemCode, ReturnType<typeof problemView>>
>;
