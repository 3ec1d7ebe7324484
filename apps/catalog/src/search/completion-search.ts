import {
  type AssetFieldName,
  type AssetType,
  COMPLETE_PARAMETERS,
  type Completions,
  MAX_COMPLETIONS,
} from '@carbon/contracts';
import { completionsAt, type ValuePlace, valueText } from '@carbon/criteria';
import { invalidRequest, type JsonResponse, jsonResponse, readParameters } from '@carbon/http';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { isListed, publishedValues } from '../index/listed-fields.js';
import { ResponseCache } from '../response-cache/response-cache.js';
import { folded } from './country-names.js';
import { SearchClient } from './search-client.js';
import { CRITERIA_FIELDS } from './search-plan.js';

const MAX_BYTES = 4 * 1024 * 1024;
/** How many of the most frequent values of a field are compared with what is typed. */
const MAX_VALUES = 1_000;
/** How many values of one field are offered. */
const MAX_VALUES_PER_FIELD = 20;

const bucket = z.object({ key: z.union([z.string(), z.number()]), doc_count: z.int() });
const found = z.record(z.string(), z.object({ buckets: z.array(bucket) }));
type Found = z.output<typeof found>;
type Completion = Completions['completions'][number];

/** Completes criteria that are being typed: what may be typed at the caret, by the parser, and values of the library. */
@Injectable()
export class CompletionSearch {
  private readonly cache = new ResponseCache<JsonResponse>(MAX_BYTES);

  constructor(private readonly client: SearchClient) {}

  /**
   * @param signal aborts when the client disconnects
   * @throws RequestError invalid_request
   * @throws TransientError when the library cannot be searched now
   */
  response(url: string, signal: AbortSignal): Promise<JsonResponse> {
    const { kind, criteria, caret = criteria.length } = readParameters(url, COMPLETE_PARAMETERS);
    if (caret > criteria.length) throw caretBeyondEnd(criteria.length);
    const type = kind === 'pools' ? 'POOL' : 'PROJECT';
    const fetch = async (requestedAt: number, abandoned: AbortSignal) => {
      const completions = await this.complete(type, criteria, caret, abandoned);
      return jsonResponse(
        requestedAt,
        Buffer.from(JSON.stringify({ completions } satisfies Readonly<Record<keyof Completions, unknown>>)),
      );
    };
    return this.cache.get(url, fetch, signal);
  }

  private async complete(
    type: AssetType,
    criteria: string,
    caret: number,
    signal: AbortSignal,
  ): Promise<readonly Completion[]> {
    const { tokens, values } = completionsAt(criteria, caret, CRITERIA_FIELDS[type]);
    const places = values.filter(({ field }) => isListed(field.name as AssetFieldName));
    const library = places.length === 0 ? {} : await this.valuesOf(type, places, signal);
    const offered = places.flatMap((place) => valuesAt(place, library));
    return [...offered, ...tokens].slice(0, MAX_COMPLETIONS).map((one) => ({ ...one, to: caret }));
  }

  private valuesOf(type: AssetType, places: readonly ValuePlace[], signal: AbortSignal): Promise<Found> {
    const order = [{ _count: 'desc' }, { _key: 'asc' }];
    const aggs = places.map(({ field: { name } }) => {
      return [name, { terms: { field: publishedValues(name as AssetFieldName), size: MAX_VALUES, order } }];
    });
    return this.client.aggregate(type, { aggs: Object.fromEntries(aggs) }, found, signal);
  }
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
