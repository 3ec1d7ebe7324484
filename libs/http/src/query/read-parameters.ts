import { z } from 'zod';
import { type ErrorItem, invalidRequest, MAX_ERROR_ITEMS } from '../api-error.js';
import type { ItemCode } from '../problem-codes.js';
import { suggestionFor } from '../suggestion.js';
import type { Parameter, ParameterSpec, Parameters } from './parameter.js';
import { type QueryPair, queryPairs } from './query-pairs.js';

/** What a custom issue of a parameter's schema may hold in its `params` beside the message. */
const adviceSchema = z.object({ suggestion: z.string(), allowed: z.array(z.string()), hint: z.string() }).partial();

const AMPERSAND_HINT = 'an & inside a value must be sent as %26';

/** Past the most that are listed, mistakes are only counted: thousands of them must not cost a search for names each. */
const ONE_MORE = itemOf('', 'unknown_parameter', '');

/**
 * Reads the query of a raw URL strictly by a spec. Throws `invalid_request` with every mistake: unknown, repeated and
 * missing parameters, empty ones where a value is needed, bad percent-encoding, and values that the schema refuses. An
 * unencoded "&" in a value must never silently widen a search, so stray pieces are mistakes too.
 */
export function readParameters<S extends ParameterSpec>(rawUrl: string, spec: S): Parameters<S> {
  const items: ErrorItem[] = [];
  const values: Record<string, unknown> = {};
  const seen = new Map<string, number>();
  for (const pair of queryPairs(rawUrl)) {
    const count = (seen.get(pair.name) ?? 0) + 1;
    seen.set(pair.name, count);
    const rule = Object.hasOwn(spec, pair.name) ? spec[pair.name] : undefined;
    if (!rule) items.push(items.length < MAX_ERROR_ITEMS ? unknownItem(pair, Object.keys(spec)) : ONE_MORE);
    else if (count === 1) readValue(pair, rule, values, items);
    else if (count === 2) items.push(itemOf(pair.name, 'duplicate_parameter', 'is given more than once; send it once'));
  }
  for (const [name, rule] of Object.entries(spec)) {
    if (rule.required && !seen.has(name)) items.push(missingItem(name, rule));
  }
  if (items.length > 0) throw invalidRequest(items);
  return values as Parameters<S>;
}

function readValue(pair: QueryPair, rule: Parameter, values: Record<string, unknown>, items: ErrorItem[]): void {
  const detail = flawOf(pair, rule);
  if (detail !== undefined) {
    items.push(itemOf(pair.name, 'invalid_parameter', detail));
    return;
  }
  const result = rule.schema.safeParse(pair.value);
  if (result.success) values[pair.name] = result.data;
  else items.push(invalidItem(pair.name, result.error.issues[0]));
}

function invalidItem(name: string, issue: z.core.$ZodIssue | undefined): ErrorItem {
  const advice = issue?.code === 'custom' ? adviceSchema.safeParse(issue.params).data : undefined;
  return { ...itemOf(name, 'invalid_parameter', issue?.message ?? 'is not valid'), ...advice };
}

function flawOf(pair: QueryPair, rule: Parameter): string | undefined {
  if (pair.broken) return 'is not valid percent-encoded UTF-8; a % itself must be sent as %25';
  if (pair.value !== '' || rule.mayBeEmpty) return undefined;
  return 'must not be empty; give it a value or leave it out';
}

function missingItem(name: string, rule: Parameter): ErrorItem {
  const advice = rule.mayBeEmpty ? `send ${name}= for an empty one` : 'send it';
  return itemOf(name, 'missing_parameter', `is required; ${advice}`);
}

function unknownItem(pair: QueryPair, known: readonly string[]): ErrorItem {
  if (pair.raw === '') {
    const detail = 'there is an empty parameter, a stray & at the end or between two others';
    return { ...itemOf('', 'unknown_parameter', detail), hint: AMPERSAND_HINT };
  }
  const name = pair.name.slice(0, 64);
  const suggestion = suggestionFor(pair.name, known);
  if (suggestion) {
    return { ...itemOf(name, 'unknown_parameter', `unknown parameter, did you mean ${suggestion}?`), suggestion };
  }
  const allowed = known.length > 0 ? `known here are ${known.join(', ')}` : 'none is known here';
  const item = itemOf(name, 'unknown_parameter', `unknown parameter, ${allowed}`);
  return looksLikeValue(pair) ? { ...item, hint: AMPERSAND_HINT } : item;
}

/** Whether a piece is rather the tail of a value that held an unencoded "&" than a parameter of its own. */
function looksLikeValue(pair: QueryPair): boolean {
  return !pair.hasValue || !/^[A-Za-z][\w.[\]-]*$/.test(pair.name);
}

function itemOf(field: string, code: ItemCode, detail: string): ErrorItem {
  return { field, code, detail };
}
