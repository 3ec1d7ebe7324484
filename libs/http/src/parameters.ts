import type { Parameter, ParameterSpec, Parameters } from '@carbon/contracts';
import { z } from 'zod';
import { type ErrorItem, type ItemCode, invalidRequest, MAX_ERROR_ITEMS, suggestionFor } from './errors.js';

/** What is wrong with a malformed pair of a query. */
export const MALFORMED_PAIR = 'is not valid percent-encoded UTF-8; encode a % as %25';

/** One decoded `name=value` of a query; `raw` is the text as sent. */
export interface QueryPair {
  readonly name: string;
  readonly value: string;
  readonly raw: string;
  readonly hasValue: boolean;
  /** Whether name or value is not valid percent-encoded UTF-8. */
  readonly isMalformed: boolean;
}

/**
 * Returns the pairs of a URL's query in order, read as `application/x-www-form-urlencoded` ("+" is a space). Nothing is
 * dropped or merged: an empty piece between two "&" is a pair with an empty name.
 */
export function queryPairs(rawUrl: string): QueryPair[] {
  const start = rawUrl.indexOf('?');
  const query = start === -1 ? '' : rawUrl.slice(start + 1);
  return query === '' ? [] : query.split('&').map(pairOf);
}

function pairOf(raw: string): QueryPair {
  const equals = raw.indexOf('=');
  const hasValue = equals !== -1;
  const rawName = hasValue ? raw.slice(0, equals) : raw;
  const name = decode(rawName);
  const value = decode(hasValue ? raw.slice(equals + 1) : '');
  const isMalformed = name === undefined || value === undefined;
  return { name: name ?? rawName, value: value ?? '', raw, hasValue, isMalformed };
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

/** The `params` of a custom zod issue that become members of the error item. */
const helpSchema = z.object({ suggestion: z.string(), allowed: z.array(z.string()), hint: z.string() }).partial();

const AMPERSAND_HINT = 'Encode an & inside a value as %26.';

/** Beyond the maximum, errors are only counted: searching for a suggestion for thousands of names would be costly. */
const UNLISTED_ITEM = itemOf('', 'unknown_parameter', '');

/**
 * Reads the query of a URL strictly by a spec. An unencoded "&" in a value must never silently widen a search, so stray
 * pieces are errors too.
 * @param others names that the route accepts in other requests, to be suggested for an unknown one
 * @throws RequestError `invalid_request` with every unknown, repeated, missing, empty, malformed or invalid parameter
 */
export function readParameters<S extends ParameterSpec>(
  rawUrl: string,
  spec: S,
  others: readonly string[] = [],
): Parameters<S> {
  const known = [...others, ...Object.keys(spec)];
  const items: ErrorItem[] = [];
  const values: Record<string, unknown> = {};
  const seen = new Map<string, number>();
  for (const pair of queryPairs(rawUrl)) {
    const count = (seen.get(pair.name) ?? 0) + 1;
    seen.set(pair.name, count);
    const parameter = Object.hasOwn(spec, pair.name) ? spec[pair.name] : undefined;
    if (!parameter) items.push(items.length < MAX_ERROR_ITEMS ? unknownItem(pair, known) : UNLISTED_ITEM);
    else if (count === 1) readValue(pair, parameter, values, items);
    else if (count === 2) items.push(itemOf(pair.name, 'duplicate_parameter', 'is repeated; send it once'));
  }
  for (const [name, { required, mayBeEmpty }] of Object.entries(spec)) {
    if (!required || seen.has(name)) continue;
    const detail = mayBeEmpty ? `is missing; send ${name}= for an empty value` : 'is missing';
    items.push(itemOf(name, 'missing_parameter', detail));
  }
  if (items.length > 0) throw invalidRequest(items);
  return values as Parameters<S>;
}

function readValue(
  { name, value, isMalformed }: QueryPair,
  { schema, mayBeEmpty }: Parameter,
  values: Record<string, unknown>,
  items: ErrorItem[],
): void {
  const invalid = (detail: string) => itemOf(name, 'invalid_parameter', detail);
  if (isMalformed) items.push(invalid(MALFORMED_PAIR));
  else if (value === '' && !mayBeEmpty) items.push(invalid('must not be empty; send a value or omit the parameter'));
  else {
    const { success, data, error } = schema.safeParse(value);
    if (success) values[name] = data;
    for (const issue of error?.issues ?? []) {
      const help = issue.code === 'custom' ? helpSchema.safeParse(issue.params).data : undefined;
      items.push({ ...invalid(issue.message), ...help });
    }
  }
}

function unknownItem(pair: QueryPair, known: readonly string[]): ErrorItem {
  if (pair.raw === '') {
    const detail = 'the query has an empty parameter: a stray & at its end or between two others';
    return { ...itemOf('', 'unknown_parameter', detail), hint: AMPERSAND_HINT };
  }
  const suggestion = suggestionFor(pair.name, known);
  const accepted = known.length > 0 ? `this route accepts: ${known.join(', ')}` : 'this route accepts none';
  const detail = `unknown parameter; ${suggestion ? `did you mean ${suggestion}?` : accepted}`;
  const item = itemOf(pair.name.slice(0, 64), 'unknown_parameter', detail);
  if (suggestion) return { ...item, suggestion };
  return looksLikeValue(pair) ? { ...item, hint: AMPERSAND_HINT } : item;
}

/** Whether a piece is more likely the tail of a value with an unencoded "&" than a parameter. */
function looksLikeValue({ hasValue, name }: QueryPair): boolean {
  return !hasValue || !/^\$?[A-Za-z][\w.[\]-]*$/.test(name);
}

function itemOf(field: string, code: ItemCode, detail: string): ErrorItem {
  return { field, code, detail };
}
