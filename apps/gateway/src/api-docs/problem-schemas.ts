import { CRITERIA_ERROR_CODES, type CriteriaErrorItem } from '@carbon/criteria';
import { type ErrorItem, type ItemCode, MAX_ERROR_ITEMS, PROBLEMS, type ProblemCode } from '@carbon/http';
import { z } from 'zod';

const detail = z.string().meta({ description: 'What is wrong and how to fix it, for people.' });
const suggestion = z.string().optional().meta({ description: 'The name or value that was probably intended.' });
const hint = z.string().optional().meta({ description: 'The fix, in words.' });
const allowed = z.array(z.string()).optional().meta({ description: 'The accepted names or values.' });
const CODE = 'The kind of error; `/problems/<code>` explains it.';

const codes = <C extends ItemCode>(...some: readonly C[]) => z.enum(some).meta({ description: CODE });

const parameterError = z.object({
  field: z.string().meta({ description: 'The parameter; empty for a stray `&`.' }),
  code: codes('missing_parameter', 'duplicate_parameter', 'unknown_parameter', 'invalid_parameter'),
  detail,
  suggestion,
  hint,
  allowed,
}) satisfies z.ZodType<ErrorItem>;

const bodyError = z.object({
  field: z.string().meta({ description: 'The member of the body; empty for the body itself.' }),
  pointer: z.string().meta({ description: 'Its place in the body: a JSON pointer (RFC 6901).' }),
  code: codes('missing_field', 'unknown_field', 'invalid_field'),
  detail,
  suggestion,
}) satisfies z.ZodType<ErrorItem>;

const headerError = z.object({
  field: z.string().meta({ description: 'The header.' }),
  code: codes('duplicate_header', 'invalid_header'),
  detail,
}) satisfies z.ZodType<ErrorItem>;

const rewrite = z
  .object({ position: z.int().min(0), length: z.int().min(0), text: z.string() })
  .optional()
  .meta({
    description:
      'The change that removes the error: replace `length` UTF-16 code units from `position` of the criteria with `text`.',
  });

const CRITERIA_CODES = CRITERIA_ERROR_CODES.map((code) => code.toLowerCase() as Lowercase<typeof code>);

const criteriaError = z.object({
  field: z.literal('criteria'),
  code: z.enum(CRITERIA_CODES).meta({ description: CODE }),
  detail,
  position: z
    .int()
    .min(0)
    .meta({ description: 'Where it begins, in UTF-16 code units of the decoded parameter, from 0.' }),
  length: z.int().min(0).meta({ description: 'How long it is; 0 where something is missing.' }),
  suggestion,
  hint,
  expected: z.array(z.string()).optional().meta({ description: 'The tokens that are allowed here.' }),
  expectedType: z.string().optional().meta({ description: 'The type of the values of the field.' }),
  allowed,
  rewrite,
}) satisfies z.ZodType<CriteriaErrorItem>;

const listOf = (item: z.ZodType) =>
  z
    .array(item)
    .min(1)
    .max(MAX_ERROR_ITEMS)
    .meta({ description: `Every error, at most ${MAX_ERROR_ITEMS}.` });

const retryKey = z.string().meta({
  description: 'Sent as `Idempotency-Key` with the same body, it makes a retry safe: at most one offset is created.',
});

const OF_READINESS = 'Only of `/health/ready`: ';

/** The additional members of problems of one code. */
const MORE: Partial<Record<ProblemCode, Readonly<Record<string, z.ZodType>>>> = {
  invalid_request: { errors: listOf(z.union([parameterError, bodyError, headerError])).optional() },
  invalid_criteria: {
    errors: listOf(criteriaError),
    snippet: z.string().meta({ description: 'The part of the criteria with the first error, and a caret under it.' }),
  },
  not_accepted: { retryKey },
  outcome_unknown: { retryKey },
  service_unavailable: {
    state: z
      .enum(['starting', 'draining', 'unavailable'])
      .optional()
      .meta({ description: `${OF_READINESS}the state.` }),
    waitingFor: z
      .array(z.string())
      .optional()
      .meta({ description: `${OF_READINESS}what the start waits for.` }),
    dependencies: z
      .record(z.string(), z.enum(['up', 'down']))
      .optional()
      .meta({ description: `${OF_READINESS}whether each dependency answers.` }),
  },
};

/** The problem document of a code (RFC 9457). */
function problemSchema(code: ProblemCode) {
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
      code: z.literal(code).meta({ description: 'For programs: codes are stable, sentences are not.' }),
      ...MORE[code],
    })
    .meta({ description: `${title}.` });
}

/** Returns the name of a code's schema: `InvalidRequestProblem`. */
export function problemName(code: ProblemCode): string {
  const words = code.split('_').map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`);
  return `${words.join('')}Problem`;
}

/** Every problem code. */
export const PROBLEM_CODES = Object.keys(PROBLEMS) as ProblemCode[];

/** The schema of every problem, by code. */
export const PROBLEM_SCHEMAS = Object.fromEntries(PROBLEM_CODES.map((code) => [code, problemSchema(code)])) as Readonly<
  Record<ProblemCode, ReturnType<typeof problemSchema>>
>;

/** These schemas by their names in the document. */
export const NAMED_PROBLEM_SCHEMAS: Readonly<Record<string, z.ZodType>> = {
  ParameterMistake: parameterError,
  BodyMistake: bodyError,
  HeaderMistake: headerError,
  CriteriaMistake: criteriaError,
  ...Object.fromEntries(PROBLEM_CODES.map((code) => [problemName(code), PROBLEM_SCHEMAS[code]])),
};
