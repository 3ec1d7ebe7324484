import { z } from 'zod';
import type { ErrorItem } from '../api-error.js';
import { suggestionFor } from '../suggestion.js';

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/** The mistakes zod found in a body, in our words: each with the field, its JSON pointer and what to do. */
export function bodyItems(issues: readonly Issue[], schema: z.ZodType, body: unknown): ErrorItem[] {
  return issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys' ? unknownFields(issue, schema) : [itemOf(issue, schema, body)],
  );
}

function unknownFields(issue: z.core.$ZodIssueUnrecognizedKeys, schema: z.ZodType): ErrorItem[] {
  const known = fieldsAt(schema, issue.path);
  return issue.keys.map((key) => {
    const path = [...issue.path, key];
    const suggestion = suggestionFor(key, known);
    const advice = suggestion ? `did you mean ${suggestion}?` : `known are ${known.join(', ')}`;
    return {
      field: fieldOf(path),
      pointer: pointerOf(path),
      code: 'unknown_field',
      detail: `unknown field, ${advice}`,
      ...(suggestion && { suggestion }),
    };
  });
}

function itemOf(issue: Issue, schema: z.ZodType, body: unknown): ErrorItem {
  const missing = issue.code === 'invalid_type' && valueAt(body, issue.path) === undefined;
  return {
    field: fieldOf(issue.path),
    pointer: pointerOf(issue.path),
    code: missing ? 'missing_field' : 'invalid_field',
    detail: issue.code === 'invalid_type' ? typeDetail(issue, schema, valueAt(body, issue.path)) : issue.message,
  };
}

function typeDetail(issue: z.core.$ZodIssueInvalidType, schema: z.ZodType, value: unknown): string {
  const expected = withArticle(issue.expected);
  if (value === undefined) return `is missing; it must be ${expected}`;
  if (value === null) {
    const advice = schemaAt(schema, issue.path) instanceof z.ZodOptional ? '; leave it out if there is none' : '';
    return `must be ${expected}, not null${advice}`;
  }
  if (typeof value === 'number' && !Number.isFinite(value)) return 'must be a finite number';
  return `must be ${expected}, not ${withArticle(Array.isArray(value) ? 'array' : typeof value)}`;
}

function withArticle(type: string): string {
  const plain = type === 'record' ? 'object' : type;
  return `${/^[aeiou]/.test(plain) ? 'an' : 'a'} ${plain}`;
}

/** The field names a strict object schema allows at a path; none when the path leads elsewhere. */
function fieldsAt(schema: z.ZodType, path: Path): string[] {
  const at = withoutOptional(schemaAt(schema, path));
  return at instanceof z.ZodObject ? Object.keys(at.shape) : [];
}

/** The schema of the member at a path of objects; undefined when the path leads elsewhere. */
function schemaAt(schema: z.ZodType, path: Path): unknown {
  return path.reduce<unknown>((at, step) => {
    const object = withoutOptional(at);
    return object instanceof z.ZodObject ? object.shape[String(step)] : undefined;
  }, schema);
}

function withoutOptional(schema: unknown): unknown {
  return schema instanceof z.ZodOptional ? schema.unwrap() : schema;
}

function valueAt(body: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (value, step) => (typeof value === 'object' && value !== null ? Reflect.get(value, step) : undefined),
    body,
  );
}

function fieldOf(path: Path): string {
  return path.map(String).join('.');
}

/** RFC 6901: "~" and "/" inside a step are escaped. */
function pointerOf(path: Path): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
