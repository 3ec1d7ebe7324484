import type { PipeTransform } from '@nestjs/common';
import type { z } from 'zod';
import { invalidRequest } from '../fault.js';
import { bodyItems } from './body-items.js';
import { invalidJson } from './json-text.js';

/**
 * A pipe for `@Body(readJsonBody(schema))`: the parsed body as the schema's type. Throws `invalid_json` when there is no
 * body and `invalid_request` with every mistake when it does not fit. The schema should be a strict object.
 */
export function readJsonBody<T>(schema: z.ZodType<T>): PipeTransform<unknown, T> {
  return { transform: (body) => checkBody(schema, body) };
}

/** {@link readJsonBody} as a plain function over a body that is parsed already. */
export function checkBody<T>(schema: z.ZodType<T>, body: unknown): T {
  if (body === undefined) throw invalidJson('The body is missing. Send a JSON object.');
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  throw invalidRequest(bodyItems(result.error.issues, schema, body));
}
