import { assetIdSchema, plainText } from '@carbon/contracts';
import { z } from 'zod';
import type { PricedLine } from '../domain/line.js';
import { MOST_LINES } from '../domain/shelf.js';
import type { AttemptedOrder, RegistryAnswer } from './registry.js';

/** An answer of the registry as it came: nothing of it is believed yet. */
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
/** Lines that the database does not hold: what the ledger could not take is not believed. */
const adoptedLines = z
  .array(z.object({ asset: assetIdSchema, grams: bigint.pipe(z.bigint().positive()), priceMicros: bigint }))
  .max(MOST_LINES);
const refusal = z.object({
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

/** What the registry is asked to do: the body of `POST /retirements`. */
export function orderBody({ offset, lines }: AttemptedOrder): string {
  const said = lines.map(({ asset, grams, priceMicros }) => ({
    asset,
    grams: String(grams),
    priceMicros: String(priceMicros),
  }));
  return JSON.stringify({ offset, lines: said });
}

/** Reads an answer about an order. Only a refusal that names this very offset is one. */
export function answerTo(order: AttemptedOrder, answer: RawAnswer): RegistryAnswer {
  if (DONE.has(answer.status)) return retirementIn(order, answer);
  if (answer.status < 400 || answer.status > 499 || NOT_NOW.has(answer.status)) return unknown(answer);
  const said = read(refusal, answer, ['application/json', 'application/problem+json']);
  if (said?.offset !== order.offset) return unknown(answer);
  const why = said.code === undefined ? '' : ` (${said.code})`;
  return { outcome: 'refused', detail: `The registry refused to retire these credits${why}. Nothing was retired.` };
}

/** Whether the registry, asked for a retirement, has none under that key. It may have to be told once more. */
export function isAbsent({ status }: RawAnswer): boolean {
  return status === NOT_FOUND;
}

/** Whether even an answer that leaves nothing known says that the registry is alive: it claims to have done it. */
export function showsLife({ status }: RawAnswer): boolean {
  return DONE.has(status);
}

function retirementIn(order: AttemptedOrder, answer: RawAnswer): RegistryAnswer {
  const said = read(retirement, answer, ['application/json']);
  if (said === undefined) return { outcome: 'unknown', reason: `${answer.status} that is no retirement` };
  if (said.offset !== order.offset) return { outcome: 'unknown', reason: 'a retirement of another offset' };
  if (isSame(order, said.lines)) return { outcome: 'retired', reference: said.reference };
  const lines = order.isRecovered ? adopted(order, said.lines) : undefined;
  if (lines === undefined) return { outcome: 'unknown', reason: 'a retirement of other credits' };
  return { outcome: 'retired', reference: said.reference, lines };
}

/** Other lines of the same weight, each asset once. */
function adopted(order: AttemptedOrder, said: readonly z.output<typeof line>[]): readonly PricedLine[] | undefined {
  const { data: lines } = adoptedLines.safeParse(said);
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

/** The same lines, in whatever order. */
function isSame(order: AttemptedOrder, lines: readonly z.output<typeof line>[]): boolean {
  const said = new Map(lines.map((one) => [one.asset, one]));
  return (
    lines.length === order.lines.length &&
    order.lines.every(({ asset, grams, priceMicros }) => {
      const one = said.get(asset);
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
