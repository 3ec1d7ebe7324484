import { assetSchema } from '@carbon/contracts';
import { suggestionFor } from '@carbon/http';
import type { z } from 'zod';

type Issue = z.core.$ZodIssue;

const MEMBERS = Object.keys(assetSchema.shape);

/** What the schema found wrong, each as one sentence that begins with the member's name. */
export function memberFaults(issues: readonly Issue[], json: unknown): string[] {
  return issues.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys') return issue.keys.map(unknownMember);
    if (issue.path.length === 0) return [`is not an asset: ${typeFault(issue, json)}`];
    const value = valueAt(json, issue.path);
    return [`${issue.path.map(String).join('.')} ${typeFault(issue, value)}`];
  });
}

function unknownMember(name: string): string {
  const suggestion = suggestionFor(name, MEMBERS);
  const advice = suggestion ? `did you mean ${suggestion}?` : `known are ${MEMBERS.join(', ')}`;
  return `${printable(name)} is unknown, ${advice}`;
}

function typeFault(issue: Issue, value: unknown): string {
  if (value === undefined && issue.path.length > 0) return 'is missing';
  if (value === null) return 'must not be null; leave it out when it is not known';
  if (issue.code === 'invalid_type') return `must be ${article(issue.expected)}, not ${article(kindOf(value))}`;
  if (issue.code === 'invalid_value') return `must be ${issue.values.map(String).join(' or ')}`;
  if (issue.code === 'too_big') return `must be at most ${issue.maximum}${issue.origin === 'array' ? ' values' : ''}`;
  if (issue.code === 'too_small') return `must be at least ${issue.minimum}`;
  if (issue.code === 'invalid_format' && issue.format === 'datetime')
    return 'must be a date and time as RFC 3339 has it';
  return issue.message;
}

function valueAt(json: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, step) => (typeof value === 'object' && value !== null ? Reflect.get(value, step) : undefined),
    json,
  );
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? 'array' : typeof value;
}

function article(type: string): string {
  if (type === 'int') return 'a whole number';
  return `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`;
}

/** A name from the file, fit for a terminal. */
function printable(name: string): string {
  return JSON.stringify(name.slice(0, 64));
}
