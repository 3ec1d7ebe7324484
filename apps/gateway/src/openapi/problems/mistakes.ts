import { CRITERIA_ERROR_CODES, type CriteriaErrorItem } from '@carbon/criteria';
import type { ErrorItem, ItemCode } from '@carbon/http';
import { z } from 'zod';

const detail = z.string().meta({ description: 'What is wrong and what to do about it, for people.' });
const suggestion = z.string().optional().meta({ description: 'The name or value that was probably meant.' });
const hint = z.string().optional().meta({ description: 'What to write instead, in words.' });
const allowed = z.array(z.string()).optional().meta({ description: 'What would be accepted.' });

const codes = <C extends ItemCode>(...some: readonly C[]) =>
  z.enum(some).meta({ description: 'The kind of mistake; `/problems/<code>` explains it.' });

/** A mistake in the query. */
export const parameterMistake = z.object({
  field: z.string().meta({ description: 'The parameter; empty for a stray `&`.' }),
  code: codes('missing_parameter', 'duplicate_parameter', 'unknown_parameter', 'invalid_parameter'),
  detail,
  suggestion,
  hint,
  allowed,
}) satisfies z.ZodType<ErrorItem>;

/** A mistake in the body. */
export const bodyMistake = z.object({
  field: z.string().meta({ description: 'The member of the body; empty for the body itself.' }),
  pointer: z.string().meta({ description: 'Where it is: a JSON pointer (RFC 6901).' }),
  code: codes('missing_field', 'unknown_field', 'invalid_field'),
  detail,
  suggestion,
}) satisfies z.ZodType<ErrorItem>;

/** A mistake in a header. */
export const headerMistake = z.object({
  field: z.string().meta({ description: 'The header.' }),
  code: codes('duplicate_header', 'invalid_header'),
  detail,
}) satisfies z.ZodType<ErrorItem>;

const CRITERIA_CODES = CRITERIA_ERROR_CODES.map((code) => code.toLowerCase() as Lowercase<typeof code>);

/** A mistake in `criteria`, and where it is in them. */
export const criteriaMistake = z.object({
  field: z.literal('criteria'),
  code: z.enum(CRITERIA_CODES).meta({ description: 'The kind of mistake; `/problems/<code>` explains it.' }),
  detail,
  position: z.int().min(0).meta({ description: 'Where it begins, in UTF-16 units of the decoded parameter, from 0.' }),
  length: z.int().min(0).meta({ description: 'How long it is; 0 where something is missing.' }),
  suggestion,
  hint,
  expected: z.array(z.string()).optional().meta({ description: 'What could stand here.' }),
  expectedType: z.string().optional().meta({ description: 'The type whose values the field takes.' }),
  allowed,
}) satisfies z.ZodType<CriteriaErrorItem>;
