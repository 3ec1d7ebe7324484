import type { IHeaders, KafkaMessage } from 'kafkajs';
import { appendTimeOf } from './append-time.js';
import type { Received } from './received.js';
import { type Letter, type Sorting, sift, unfit } from './run.js';

/** Until the trace step knows better. */
const NOBODY = { requestId: '', traceId: '', traceparent: '' };

const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Bytes → key, headers and JSON. What is not UTF-8, not JSON or without a key becomes a letter. */
export function decode<T extends Sorting>(run: T): T {
  return { ...run, ...sift(run.raw, decodeOne) };
}

function decodeOne(raw: KafkaMessage): Received | Letter {
  const key = decoded(raw.key);
  if (key === undefined || key === '') return unfit(raw, 'invalid_key', 'The key is missing or not UTF-8.');
  const value = parsed(raw.value);
  if (value === undefined) return unfit(raw, 'invalid_json', 'The value is not JSON in UTF-8.');
  const headers = firstValues(raw.headers);
  return {
    key,
    value: value.json,
    type: headers.ce_type ?? '',
    position: BigInt(raw.offset),
    timestamp: appendTimeOf(raw),
    headers,
    context: NOBODY,
    raw,
  };
}

function decoded(bytes: Buffer | null): string | undefined {
  if (bytes === null) return undefined;
  try {
    return text.decode(bytes);
  } catch {
    return undefined;
  }
}

/** A null value is a withdrawal; the JSON word `null` is not, and no schema takes it. */
function parsed(bytes: Buffer | null): { json: unknown } | undefined {
  if (bytes === null) return { json: null };
  const words = decoded(bytes);
  if (words === undefined) return undefined;
  try {
    const json: unknown = JSON.parse(words);
    return json === null ? undefined : { json };
  } catch {
    return undefined;
  }
}

/** Kafka lets a header's value be null, which kafkajs passes on though its types do not say so: as good as no header. */
function firstValue(values: IHeaders[string] | null): string | Buffer | undefined {
  return (Array.isArray(values) ? values.find((value) => value !== undefined && value !== null) : values) ?? undefined;
}

/** Headers by name as text; of a repeated header the first. */
export function firstValues(headers: IHeaders | undefined): Record<string, string> {
  const named: [string, string][] = [];
  for (const name in headers) {
    const value = firstValue(headers[name]);
    if (value !== undefined) named.push([name, value.toString()]);
  }
  // Not by assignment: a header may be called __proto__.
  return Object.fromEntries(named);
}
