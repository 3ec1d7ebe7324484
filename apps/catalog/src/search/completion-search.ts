import { type AssetFieldName, COMPLETE_PARAMETERS, type Completions, MAX_COMPLETIONS } from '@carbon/contracts';
import { completionsAt, type ValuePlace, valueText } from '@carbon/criteria';
import { invalidRequest, readParameters } from '@carbon/http';
import { z } from 'zod';
import { isListed, publishedValues } from '../index/listed-fields.js';
import type { Query } from './clause-count.js';
import { folded } from './country-names.js';
import type { SearchClient } from './search-client.js';
import { CRITERIA_FIELDS } from './search-plan.js';

/** How many of the most frequent values of a field are compared with what is typed. */
const MAX_VALUES = 1_000;
/** How many values of one field are offered. */
const MAX_VALUES_PER_FIELD = 20;

const bucket = z.object({ key: z.union([z.string(), z.number()]), doc_count: z.int() });
const found = z.record(z.string(), z.object({ buckets: z.array(bucket) }));
type Found = z.output<typeof found>;
type Completion = Completions['completions'][number];

/**
 * Completes criteria that are being typed: what may be typed at the caret, by the parser, and values of the library.
 * @throws RequestError invalid_request
 * @throws TransientError when the library cannot be searched now
 */
export async function findCompletions(url: string, client: SearchClient, signal: AbortSignal): Promise<Completions> {
  const { kind, criteria, caret = criteria.length } = readParameters(url, COMPLETE_PARAMETERS);
  if (caret > criteria.length) throw caretBeyondEnd(criteria.length);
  const type = kind === 'pools' ? 'POOL' : 'PROJECT';
  const { tokens, values } = completionsAt(criteria, caret, CRITERIA_FIELDS[type]);
  const places = values.filter(({ field }) => isListed(field.name as AssetFieldName));
  const aggs = Object.fromEntries(places.map(({ field: { name } }) => [name, mostFrequent(name as AssetFieldName)]));
  const library = places.length === 0 ? {} : await client.aggregate(type, { aggs }, found, signal);
  const offered = [...places.flatMap((place) => valuesAt(place, library)), ...tokens].slice(0, MAX_COMPLETIONS);
  return { completions: offered.map((one) => ({ ...one, to: caret })) };
}

function mostFrequent(name: AssetFieldName): Query {
  const order = [{ _count: 'desc' }, { _key: 'asc' }];
  return { terms: { field: publishedValues(name), size: MAX_VALUES, order } };
}

function valuesAt({ field, from, typed }: ValuePlace, library: Found): readonly Omit<Completion, 'to'>[] {
  const sought = folded(typed);
  const values = (library[field.name]?.buckets ?? []).map(({ key, doc_count: count }) => {
    return { value: field.type === 'boolean' ? key === 1 : key, count };
  });
  const matching = values.filter(({ value }) => folded(String(value)).includes(sought)).slice(0, MAX_VALUES_PER_FIELD);
  return matching.map(({ value, count }) => ({ insert: valueText(value), kind: 'value', from, count }));
}

function caretBeyondEnd(length: number): Error {
  const detail = `must be at most ${length}, the length of criteria in UTF-16 code units`;
  return invalidRequest([{ field: 'caret', code: 'invalid_parameter', detail }]);
}
