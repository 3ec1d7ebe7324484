import { z } from 'zod';
import { type ErrorItem, invalidRequest, MAX_ERROR_ITEMS, RequestError, suggestionFor } from './errors.js';

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/**
 * Returns a parsed body as the schema's type. The schema should be a strict object.
 * @throws RequestError `invalid_json` when there is no body, `invalid_request` when it does not fit, with its errors, at most ten
 */
export function checkBody<T>(schema: z.ZodType<T>, body: unknown): T {
  if (body === undefined) throw new RequestError('invalid_json', 'The body is missing. Send a JSON object.');
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  throw invalidRequest(result.error.issues.flatMap((issue) => itemsOf(issue, schema, body)));
}

function itemsOf(issue: Issue, schema: z.ZodType, body: unknown): ErrorItem[] {
  if (issue.code === 'unrecognized_keys') return unknownFields(issue, schema);
  const value = valueAt(body, issue.path);
  const isMissing = issue.code === 'invalid_type' && value === undefined;
  const detail = issue.code === 'invalid_type' ? typeDetail(issue, schema, value) : issue.message;
  return [{ ...locationOf(issue.path), code: isMissing ? 'missing_field' : 'invalid_field', detail }];
}

function unknownFields({ path, keys }: z.core.$ZodIssueUnrecognizedKeys, schema: z.ZodType): ErrorItem[] {
  const object = withoutOptional(schemaAt(schema, path));
  const known = object instanceof z.ZodObject ? Object.keys(object.shape) : [];
  return keys.map((key, place) => {
    // Beyond the maximum, errors are only counted: searching for a suggestion for thousands of names would be costly.
    if (place >= MAX_ERROR_ITEMS) return { field: '', code: 'unknown_field', detail: '' };
    const suggestion = suggestionFor(key, known);
    const help = suggestion ? `did you mean ${suggestion}?` : `the fields are: ${known.join(', ')}`;
    const detail = `unknown field; ${help}`;
    return { ...locationOf([...path, key]), code: 'unknown_field', detail, ...(suggestion && { suggestion }) };
  });
}

function typeDetail(issue: z.core.$ZodIssueInvalidType, schema: z.ZodType, value: unknown): string {
  const expected = withArticle(issue.expected);
  if (value === undefined) return `is missing; must be ${expected}`;
  if (value === null) {
    const isOptional = schemaAt(schema, issue.path) instanceof z.ZodOptional;
    return `must be ${expected}, not null${isOptional ? '; omit it if there is none' : ''}`;
  }
  if (issue.expected === 'number' && typeof value === 'number') return 'must be a finite number';
  return `must be ${expected}, not ${withArticle(Array.isArray(value) ? 'array' : typeof value)}`;
}

function withArticle(type: string): string {
  const plain = type === 'record' ? 'object' : type;
  return `${/^[aeiou]/.test(plain) ? 'an' : 'a'} ${plain}`;
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

/** The field with dots and as a JSON pointer (RFC 6901: "~" and "/" inside a step are escaped). */
function locationOf(path: Path): Pick<ErrorItem, 'field' | 'pointer'> {
  const steps = path.map(String);
  const pointer = steps.map((step) => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
  return { field: steps.join('.'), pointer };
}
