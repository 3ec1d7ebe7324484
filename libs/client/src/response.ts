import { type CarbonError, type ErrorFacts, type ErrorItem, UnexpectedAnswerError } from './errors.js';
import { problemOf } from './generated/problems.js';
import type { ApiResponse } from './send.js';

/** Returns the body as JSON; undefined when it is not JSON. */
export function jsonOf({ text }: ApiResponse): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether a value is an object. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether the response has this media type, with any parameters. */
function isOfType({ headers }: ApiResponse, expected: string): boolean {
  const [type = ''] = (headers.get('content-type') ?? '').split(';');
  return type.trim().toLowerCase() === expected;
}

/** The required members of a response. Others are permitted: newer services may add some. */
export interface Shape {
  readonly [member: string]: Kind;
}

/** The type of a member: a primitive, one of some words, a list of objects, or an object. */
type Kind = 'string' | 'number' | 'boolean' | 'array' | readonly string[] | { readonly each: Shape } | Shape;

/** Returns the body of a response. @throws UnexpectedAnswerError when it is not JSON of this shape */
export function readObject<T extends object>(response: ApiResponse, shape: Shape): T {
  const body = readJson(response);
  if (hasShape(body, shape)) return body as T;
  throw unexpected(response, 'has an unexpected form');
}

/** Returns the array in the body of a response. @throws UnexpectedAnswerError when it is not JSON of this shape */
export function readArray<T extends object>(response: ApiResponse, shape: Shape): readonly T[] {
  const body = readJson(response);
  if (Array.isArray(body) && body.every((item) => hasShape(item, shape))) return body as readonly T[];
  throw unexpected(response, 'has an unexpected form');
}

function readJson(response: ApiResponse): unknown {
  const body = isOfType(response, 'application/json') ? jsonOf(response) : undefined;
  if (body === undefined) throw unexpected(response);
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

const FOREIGN = 'is not from this service';
/** The length of the quote of an unexpected response. */
const QUOTE_LENGTH = 200;

/** Returns the error of a response without an expected status. */
export function errorOf(response: ApiResponse): CarbonError {
  const problem = isOfType(response, 'application/problem+json') ? jsonOf(response) : undefined;
  if (!isRecord(problem) || typeof problem.code !== 'string') return unexpected(response);
  const facts = {
    ...factsOf(response),
    requestId: textOf(problem.instance) ?? requestIdOf(response),
    errors: itemsOf(problem.errors),
    retryKey: textOf(problem.retryKey) ?? openKeyOf(response),
    snippet: textOf(problem.snippet),
  };
  const detail = textOf(problem.detail) ?? textOf(problem.title) ?? `status ${response.status}, ${problem.code}`;
  return problemOf(problem.code, detail, facts);
}

/** The key of the request, unless the service certainly rejected it. */
function openKeyOf({ status, sentKey }: ApiResponse): string | undefined {
  const isRejected = status >= 400 && status < 500 && status !== 408 && status !== 429;
  return isRejected ? undefined : sentKey;
}

/**
 * Returns the error of a response that is neither an expected success nor a problem document. Whatever its status, the
 * outcome of the request is unknown.
 */
export function unexpected(response: ApiResponse, reason = FOREIGN): UnexpectedAnswerError {
  const type = response.headers.get('content-type') ?? 'no content type';
  const quote = printable(response.text.slice(0, QUOTE_LENGTH));
  const detail = `the response ${reason} (status ${response.status}, ${type}): ${quote === '' ? 'it is empty' : quote}`;
  return new UnexpectedAnswerError(detail, {
    ...factsOf(response),
    requestId: requestIdOf(response),
    retryKey: response.sentKey,
  });
}

function factsOf({ status, headers }: ApiResponse): ErrorFacts {
  return { status, retryAfter: retryAfterOf(headers) };
}

function requestIdOf({ headers }: ApiResponse): string | undefined {
  return headers.get('x-request-id') ?? undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Keeps items with the required members; unknown members of newer services stay. */
function itemsOf(value: unknown): readonly ErrorItem[] {
  return Array.isArray(value) ? value.filter(isItem) : [];
}

function isItem(item: unknown): item is ErrorItem {
  return isRecord(item) && [item.field, item.code, item.detail].every((member) => typeof member === 'string');
}

function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
}

/** Returns the seconds of `Retry-After`, a number or a date (RFC 9110); undefined when it is absent or invalid. */
export function retryAfterOf(headers: Headers, now = Date.now()): number | undefined {
  const value = headers.get('retry-after')?.trim();
  if (value === undefined || value === '') return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value);
  // `Date.parse` alone accepts nearly anything: `-1` is a year. A date here starts with the name of the day.
  const time = /^[A-Za-z]{3,9},? /.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? undefined : Math.max(0, Math.ceil((time - now) / 1_000));
}
