import { assetIdSchema, plainText } from '@carbon/contracts';
import { z } from 'zod';
import { MAX_LINES } from '../domain/inventory.js';
import type { PricedLine } from '../domain/line.js';
import type { RegistryAnswer, RetirementOrder } from './registry.js';

/** An answer of the registry, not validated yet. */
export interface RawAnswer {
  readonly status: number;
  /** The media type alone, in lower case. */
  readonly type: string;
  readonly retryAfter: string | undefined;
  readonly body: Buffer;
}

const decimal = z.string().regex(/^(0|[1-9]\d{0,18})$/);
const line = z.object({ asset: z.string(), grams: decimal, priceMicros: decimal });
const retirement = z.object({
  offset: z.string(),
  lines: z.array(line),
  reference: plainText(1, 256).optional(),
});
const bigint = z
  .string()
  .transform(BigInt)
  .pipe(z.bigint().max(2n ** 63n - 1n));
/** Lines that the database does not hold. Values that the ledger could not store are rejected. */
const adoptedLines = z
  .array(z.object({ asset: assetIdSchema, grams: bigint.pipe(z.bigint().positive()), priceMicros: bigint }))
  .max(MAX_LINES);
const rejectionSchema = z.object({
  offset: z.string(),
  code: z
    .string()
    .regex(/^[a-z0-9_]{1,64}$/)
    .optional(),
});

const DONE = new Set([200, 201]);
/** 4xx that say "not now", never "no": Request Timeout, Too Early, Too Many Requests. */
const NOT_NOW = new Set([408, 425, 429]);
const NOT_FOUND = 404;
const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** The body of `POST /retirements`. */
export function orderBody({ offset, lines }: RetirementOrder): string {
  const texts = lines.map(({ asset, grams, priceMicros }) => ({
    asset,
    grams: String(grams),
    priceMicros: String(priceMicros),
  }));
  return JSON.stringify({ offset, lines: texts });
}

/** Reads an answer about an order. A refusal counts only if it names this offset. */
export function answerTo(order: RetirementOrder, answer: RawAnswer): RegistryAnswer {
  if (DONE.has(answer.status)) return retirementIn(order, answer);
  if (answer.status < 400 || answer.status > 499 || NOT_NOW.has(answer.status)) return unknown(answer);
  const response = read(rejectionSchema, answer, ['application/json', 'application/problem+json']);
  if (response?.offset !== order.offset) return unknown(answer);
  const why = response.code === undefined ? '' : ` (${response.code})`;
  return { outcome: 'refused', detail: `The registry refused to retire these credits${why}. Nothing was retired.` };
}

/** Returns whether the registry has no retirement under the key, so that the order may have to be sent again. */
export function isAbsent({ status }: RawAnswer): boolean {
  return status === NOT_FOUND;
}

/** Returns whether an answer that leaves the outcome unknown still shows that the registry works. */
export function isFromRunningServer({ status }: RawAnswer): boolean {
  return DONE.has(status);
}

function retirementIn(order: RetirementOrder, answer: RawAnswer): RegistryAnswer {
  const response = read(retirement, answer, ['application/json']);
  if (response === undefined) return { outcome: 'unknown', reason: `${answer.status} that is no retirement` };
  if (response.offset !== order.offset) return { outcome: 'unknown', reason: 'a retirement of another offset' };
  if (isSame(order, response.lines)) return { outcome: 'retired', reference: response.reference };
  const lines = order.isRecovered ? adoptLines(order, response.lines) : undefined;
  if (lines === undefined) return { outcome: 'unknown', reason: 'a retirement of other credits' };
  return { outcome: 'retired', reference: response.reference, lines };
}

/** Other lines of the same weight, with each asset once. */
function adoptLines(
  order: RetirementOrder,
  response: readonly z.output<typeof line>[],
): readonly PricedLine[] | undefined {
  const { data: lines } = adoptedLines.safeParse(response);
  if (lines === undefined || new Set(lines.map(({ asset }) => asset)).size < lines.length) return undefined;
  return weightOf(lines) === weightOf(order.lines) ? lines : undefined;
}

function weightOf(lines: readonly PricedLine[]): bigint {
  return lines.reduce((sum, { grams }) => sum + grams, 0n);
}

function read<T extends z.ZodType>(schema: T, { type, body }: RawAnswer, types: readonly string[]) {
  if (!types.includes(type)) return undefined;
  try {
    return schema.safeParse(JSON.parse(UTF8.decode(body))).data;
  } catch {
    return undefined;
  }
}

/** Returns whether these are the order's lines, in any order. */
function isSame(order: RetirementOrder, lines: readonly z.output<typeof line>[]): boolean {
  const byAsset = new Map(lines.map((one) => [one.asset, one]));
  return (
    lines.length === order.lines.length &&
    order.lines.every(({ asset, grams, priceMicros }) => {
      const one = byAsset.get(asset);
      return one?.grams === String(grams) && one.priceMicros === String(priceMicros);
    })
  );
}

function unknown({ status, retryAfter }: RawAnswer): RegistryAnswer {
  return { outcome: 'unknown', reason: `status ${status}`, waitMs: waitOf(retryAfter) };
}

/** RFC 9110, 10.2.3: seconds, or a date. */
function waitOf(retryAfter: string | undefined): number | undefined {
  if (retryAfter === undefined) return undefined;
  const ms = /^\d{1,9}$/.test(retryAfter) ? Number(retryAfter) * 1_000 : Date.parse(retryAfter) - Date.now();
  return ms > 0 ? ms : undefined;
}
