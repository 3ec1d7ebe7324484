import { invalidReason, type MessageContent } from '@carbon/messaging';
import { type Column, printable, printableLines } from '@carbon/terminal';
import type { IHeaders } from 'kafkajs';
import { contentOf, type DeadLetter, decoded, formatId } from './dead-letter.js';
import type { Original } from './dead-letter-admin.js';

const NAME_WIDTH = 14;
const MAX_WORD = 64;
const MAX_KEY = 256;
const MAX_HEADER = 1_000;
/** Reasons that are counted apart; a client that writes headers of its own must not fill the memory. */
const MAX_REASONS = 100;
const OTHER_REASONS = 'other reasons';

/** The columns of the list. */
export const COLUMNS: readonly Column<DeadLetter>[] = [
  { title: 'PLACE', of: ({ id }) => formatId(id) },
  { title: 'AT', of: ({ at }) => at.toISOString(), rank: 3 },
  { title: 'REASON', of: ({ reason }) => oneLine(reason, MAX_WORD) },
  {
    title: 'ORIGINAL',
    of: ({ id, origin }) => origin && `${id.topic}/${origin.partition}:${origin.position}`,
    rank: 2,
  },
  { title: 'HANDLER', of: ({ handler }) => oneLine(handler, MAX_WORD), least: 10, rank: 4 },
  { title: 'ATTEMPTS', of: ({ attempts }) => attempts, align: 'right', rank: 5 },
  { title: 'KEY', of: ({ raw }) => oneLine(raw.key, MAX_WORD), least: 12, rank: 1 },
];

/** Returns what is known of a dead letter, without its content; members that are not known are undefined. */
export function factsOf({ id, at, appendedAt, origin, cutBytes, raw, ...facts }: DeadLetter) {
  const { reason, handler, attempts, firstFailedAt } = facts;
  return {
    place: formatId(id),
    at: at.toISOString(),
    appendedAt: appendedAt.toISOString(),
    reason,
    original: origin && { topic: id.topic, partition: origin.partition, position: String(origin.position) },
    handler,
    attempts,
    firstFailedAt,
    key: raw.key === null ? undefined : oneLine(raw.key, MAX_KEY),
    bytes: raw.value?.length ?? 0,
    cutBytes: cutBytes === 0 ? undefined : cutBytes,
  };
}

/** Returns a dead letter and its message as JSON: bytes as `{text}` when they are UTF-8, else as `{hex}`. */
export function asJson(deadLetter: DeadLetter, original: Original): object {
  const message = messageIn(deadLetter, original);
  const { bytes: _, key: __, ...facts } = factsOf(deadLetter);
  return {
    ...facts,
    ...('gone' in original && { gone: original.gone }),
    fault: invalidReason(deadLetter.id.topic, message),
    key: message.key && decoded(message.key),
    headers: headersOf(message.headers).map(([name, value]) => ({ name, ...decoded(value) })),
    value: message.value && decoded(message.value),
  };
}

/** Returns a dead letter and its message as lines. */
export function asLines(deadLetter: DeadLetter, original: Original): readonly string[] {
  const message = messageIn(deadLetter, original);
  const { value } = message;
  const { id, origin } = deadLetter;
  const facts: readonly (readonly [string, string])[] = [
    ['dead letter', formatId(id)],
    ['written', deadLetter.at.toISOString()],
    ['reason', oneLine(deadLetter.reason)],
    ['handler', `${oneLine(deadLetter.handler)}, after ${deadLetter.attempts ?? 'unknown'} failed attempts`],
    ['first failed', oneLine(deadLetter.firstFailedAt)],
    ['original', origin ? `${id.topic}, partition ${origin.partition}, position ${origin.position}` : '-'],
    ['appended', deadLetter.appendedAt.toISOString()],
    ['now', verdictOf(deadLetter, message)],
    ...('gone' in original ? [['cut', original.gone] as const] : []),
    ['key', oneLine(message.key, MAX_HEADER)],
    ...headersOf(message.headers).map(([name, bytes]) => [oneLine(name), oneLine(bytes, MAX_HEADER)] as const),
    ['value', value === null ? 'none (null)' : `${value.length} bytes`],
  ];
  const lines = facts.map(([name, text]) => `${name.padEnd(NAME_WIDTH)} ${text}`);
  return value === null ? lines : [...lines, '', bytesAsText(value)];
}

/** Returns one line for a terminal, cut when it is too long; `-` for nothing. */
export function oneLine(bytes: Buffer | string | null | undefined, maxLength = 120): string {
  if (bytes === null || bytes === undefined) return '-';
  const found = typeof bytes === 'string' ? { text: bytes } : decoded(bytes.subarray(0, 4 * maxLength));
  const text = 'text' in found ? printable(found.text) : `0x${found.hex}`;
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}

/** Counts the dead letters of each reason on each topic. */
export class ReasonCounts {
  private readonly topics = new Map<string, Map<string, number>>();

  /** Counts a topic even when it has no dead letters. */
  addTopic(topic: string): void {
    this.topics.set(topic, new Map());
  }

  /** Counts a dead letter of a topic. */
  add(topic: string, reason: string): void {
    const reasons = this.topics.get(topic) ?? new Map<string, number>();
    const name = reasons.has(reason) || reasons.size < MAX_REASONS ? reason : OTHER_REASONS;
    reasons.set(name, (reasons.get(name) ?? 0) + 1);
    this.topics.set(topic, reasons);
  }

  /** Returns a line for each topic, the most frequent reason first. */
  lines(): string[] {
    return [...this.topics].map(([topic, reasons]) => {
      const sorted = [...reasons].sort(([one, n], [other, m]) => m - n || (one < other ? -1 : 1));
      const count = sorted.reduce((sum, [, n]) => sum + n, 0);
      const details = sorted.map(([reason, n]) => `${reason} ${n}`).join(', ');
      return count === 0 ? `${topic}: no dead letters` : `${topic}: ${count} (${details})`;
    });
  }
}

/** Says whether a consumer could process the message now: the dead letter has only the kind of the error. */
function verdictOf({ id }: DeadLetter, message: MessageContent): string {
  const error = invalidReason(id.topic, message);
  return error === undefined
    ? 'valid by the schema of its topic; only its handler knows whether it can be processed'
    : `would fail again: ${error.code}: ${oneLine(error.detail, MAX_HEADER)}`;
}

function messageIn(deadLetter: DeadLetter, original: Original): MessageContent {
  return 'message' in original ? original.message : contentOf(deadLetter);
}

function headersOf(headers: IHeaders = {}): [string, Buffer][] {
  return Object.entries(headers).flatMap(([name, values]) =>
    (Array.isArray(values) ? values : [values]).map((value): [string, Buffer] => [name, Buffer.from(value ?? '')]),
  );
}

function bytesAsText(value: Buffer): string {
  const found = decoded(value);
  return 'text' in found ? printableLines(found.text) : found.hex;
}
