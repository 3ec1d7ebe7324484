import { assetSchema } from '@carbon/contracts';
import { suggestionFor } from '@carbon/http';
import type { z } from 'zod';

type Issue = z.core.$ZodIssue;

const MEMBERS = Object.keys(assetSchema.shape);
const MAX_NAME = 64;

/** Returns the errors of the schema, each as a phrase that begins with the name of the member, or with `is not an asset`. */
export function memberErrors(issues: readonly Issue[], json: unknown): string[] {
  return issues.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys') return issue.keys.map(unknownMember);
    if (issue.path.length === 0) return [`is not an asset: ${sentenceOf(issue, json)}`];
    return [`${issue.path.map(String).join('.')} ${sentenceOf(issue, valueAt(json, issue.path))}`];
  });
}

function unknownMember(name: string): string {
  const suggestion = suggestionFor(name, MEMBERS);
  const hint = suggestion ? `did you mean ${suggestion}?` : `the members of an asset are ${MEMBERS.join(', ')}`;
  return `${JSON.stringify(name.slice(0, MAX_NAME))} is unknown; ${hint}`;
}

function sentenceOf(issue: Issue, value: unknown): string {
  if (value === undefined && issue.path.length > 0) return 'is missing';
  if (value === null && issue.path.length === 0) return 'must be an object, not null';
  if (value === null) return 'must not be null; leave it out when it is not known';
  if (issue.code === 'invalid_type' && issue.expected === 'int' && typeof value === 'number')
    return 'must be a whole number';
  if (issue.code === 'invalid_type') return `must be ${withArticle(issue.expected)}, not ${withArticle(typeOf(value))}`;
  if (issue.code === 'invalid_value') return `must be ${issue.values.map(String).join(' or ')}`;
  if (issue.code === 'too_big' && issue.origin === 'array') return `must have at most ${issue.maximum} values`;
  if (issue.code === 'too_big') return `must be at most ${issue.maximum}`;
  if (issue.code === 'too_small') return `must be at least ${issue.minimum}`;
  if (issue.code === 'invalid_format' && issue.format === 'datetime') return 'must be an RFC 3339 date and time';
  return issue.message;
}

function valueAt(json: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, step) => (typeof value === 'object' && value !== null ? Reflect.get(value, step) : undefined),
    json,
  );
}

function typeOf(value: unknown): string {
  return Array.isArray(value) ? 'array' : typeof value;
}

function withArticle(type: string): string {
  if (type === 'int') return 'a whole number';
  return `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`;
}
