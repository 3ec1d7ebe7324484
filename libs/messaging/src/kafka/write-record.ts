import type { IHeaders } from 'kafkajs';

type Word = string | Buffer | null | undefined;

/** A record as kafkajs' producer hands it over to be written. */
export interface UnwrittenRecord {
  readonly offsetDelta?: number;
  /** Milliseconds after the first of its batch. */
  readonly timestampDelta?: number;
  readonly key?: Word;
  readonly value?: Word;
  readonly headers?: IHeaders;
}

/** What kafkajs takes for one of its encoders. */
export interface WrittenRecord {
  readonly buf: Buffer;
  readonly buffer: Buffer;
}

/** No attributes of a record are in use. */
const ATTRIBUTES = 0;
const SEVEN_BITS = 128;
/** The length of nothing is -1, of which the zigzag is 1. */
const NONE = 0.5;

/**
 * One record of a batch in one buffer (https://kafka.apache.org/43/implementation/message-format/#record).
 * @throws RangeError for one that is older than the first of its batch, of which kafkajs makes none
 */
export function writeRecord(record: UnwrittenRecord): WrittenRecord {
  const { offsetDelta = 0, timestampDelta = 0, key, value, headers = {} } = record;
  if (timestampDelta < 0 || offsetDelta < 0)
    throw new RangeError('A record cannot come before the first of its batch.');
  const words = wordsOf(headers);
  const numbers = [timestampDelta, offsetDelta, words.length / 2];
  let size = 1;
  for (const number of numbers) size += sizeOfNumber(number);
  for (const word of [key, value, ...words]) size += sizeOfWord(word);
  const pen = new Pen(Buffer.allocUnsafe(sizeOfNumber(size) + size));
  pen.number(size);
  pen.byte(ATTRIBUTES);
  pen.number(timestampDelta);
  pen.number(offsetDelta);
  pen.word(key);
  pen.word(value);
  pen.number(words.length / 2);
  for (const word of words) pen.word(word);
  return { buf: pen.page, buffer: pen.page };
}

/** Name and value in turns; a header with several values has its name before each. */
function wordsOf(headers: IHeaders): Word[] {
  const words: Word[] = [];
  for (const name in headers) {
    const values = headers[name];
    if (Array.isArray(values)) for (const value of values) words.push(name, value);
    else words.push(name, values);
  }
  return words;
}

function sizeOfWord(word: Word): number {
  if (word == null) return 1;
  const size = Buffer.byteLength(word);
  return sizeOfNumber(size) + size;
}

function sizeOfNumber(number: number): number {
  let size = 1;
  for (let rest = number * 2; rest >= SEVEN_BITS; rest = Math.floor(rest / SEVEN_BITS)) size += 1;
  return size;
}

class Pen {
  private place = 0;

  constructor(readonly page: Buffer) {}

  byte(value: number): void {
    this.page[this.place] = value;
    this.place += 1;
  }

  /** Zigzag (twice the number; none is 1), then seven bits a byte, the lowest first. */
  number(number: number): void {
    let rest = number * 2;
    for (; rest >= SEVEN_BITS; rest = Math.floor(rest / SEVEN_BITS)) this.byte((rest % SEVEN_BITS) + SEVEN_BITS);
    this.byte(rest);
  }

  word(word: Word): void {
    this.number(word == null ? NONE : Buffer.byteLength(word));
    if (word == null) return;
    this.place += typeof word === 'string' ? this.page.write(word, this.place) : word.copy(this.page, this.place);
  }
}
