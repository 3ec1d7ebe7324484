import type { z } from 'zod';
import { invalidRequest } from '../api-error.js';
import { bodyItems } from './body-items.js';
import { invalidJson } from './json-text.js';

/**
 * A body that is parsed already, as the schema's type. Throws `invalid_json` when there is none and `invalid_request` with
 * every mistake when it does not fit. The schema should be a strict object.
 */
export function checkBody<T>(schema: z.ZodType<T>, body: unknown): T {
  if (body === undefined) throw invalidJson('The body is missing. Send a JSON object.');
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  throw invalidRequest(bodyItems(result.error.issues, schema, body));
}
