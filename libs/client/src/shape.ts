import { isOfType, isRecord, jsonOf, type Reply } from './ask/reply.js';
import { unexpected } from './errors/read-problem.js';

/** The members that an answer must have. What else it has is let pass: the service may gain more. */
export interface Shape {
  readonly [member: string]: Kind;
}

/** What a member has to be: of a type, one of some words, a list of objects, or an object itself. */
type Kind = 'string' | 'number' | 'boolean' | 'array' | readonly string[] | { readonly each: Shape } | Shape;

/**
 * The body of an answer as what it is said to be.
 *
 * @throws UnexpectedAnswerError when it is not JSON, or not of that shape
 */
export function readObject<T extends object>(reply: Reply, shape: Shape): T {
  const body = readJson(reply);
  if (hasShape(body, shape)) return body as T;
  throw unexpected(reply, 'has not the form that was asked for');
}

/** The same for a bare array. */
export function readArray<T extends object>(reply: Reply, shape: Shape): readonly T[] {
  const body = readJson(reply);
  if (Array.isArray(body) && body.every((item) => hasShape(item, shape))) return body as readonly T[];
  throw unexpected(reply, 'has not the form that was asked for');
}

function readJson(reply: Reply): unknown {
  const body = isOfType(reply, 'application/json') ? jsonOf(reply) : undefined;
  if (body === undefined) throw unexpected(reply);
  return body;
}

function hasShape(value: unknown, shape: Shape): boolean {
  return isRecord(value) && Object.entries(shape).every(([member, kind]) => isKind(value[member], kind));
}

function isKind(value: unknown, kind: Kind): boolean {
  if (kind === 'array') return Array.isArray(value);
  if (typeof kind === 'string') return typeof value === kind;
  if (isWords(kind)) return kind.some((word) => word === value);
  if (!isList(kind)) return hasShape(value, kind);
  return Array.isArray(value) && value.every((item) => hasShape(item, kind.each));
}

function isWords(kind: object): kind is readonly string[] {
  return Array.isArray(kind);
}

function isList(kind: object): kind is { readonly each: Shape } {
  return 'each' in kind;
}
