import type { IHeaders } from 'kafkajs';

type Field = string | Buffer | null | undefined;

/** A record as kafkajs' producer passes it to its encoder. */
export interface RecordToEncode {
  readonly offsetDelta?: number;
  /** Milliseconds after the first record of the batch. */
  readonly timestampDelta?: number;
  readonly key?: Field;
  readonly value?: Field;
  readonly headers?: IHeaders;
}

/** What kafkajs accepts in place of its own encoder. */
export interface EncodedRecord {
  readonly buf: Buffer;
  readonly buffer: Buffer;
}

/** No attribute of a record is in use. */
const ATTRIBUTES = 0;
const SEVEN_BITS = 128;
/** The length of null is -1, whose zigzag encoding is 1. */
const NULL_LENGTH = 0.5;

/**
 * Encodes one record of a batch into one buffer (https://kafka.apache.org/43/implementation/message-format/#record).
 * @throws RangeError for a record older than the first of its batch, which kafkajs never creates
 */
export function encodeRecord(record: RecordToEncode): EncodedRecord {
  const { offsetDelta = 0, timestampDelta = 0, key, value, headers = {} } = record;
  if (timestampDelta < 0 || offsetDelta < 0)
    throw new RangeError('A record cannot come before the first of its batch.');
  const headerFields = flatten(headers);
  const numbers = [timestampDelta, offsetDelta, headerFields.length / 2];
  let size = 1;
  for (const number of numbers) size += varintSize(number);
  for (const field of [key, value, ...headerFields]) size += fieldSize(field);
  const writer = new Writer(Buffer.allocUnsafe(varintSize(size) + size));
  writer.varint(size);
  writer.byte(ATTRIBUTES);
  writer.varint(timestampDelta);
  writer.varint(offsetDelta);
  writer.field(key);
  writer.field(value);
  writer.varint(headerFields.length / 2);
  for (const field of headerFields) writer.field(field);
  return { buf: writer.bytes, buffer: writer.bytes };
}

/** Alternates names and values; a header with several values repeats its name before each. */
function flatten(headers: IHeaders): Field[] {
  const fields: Field[] = [];
  for (const name in headers) {
    const values = headers[name];
    if (Array.isArray(values)) for (const value of values) fields.push(name, value);
    else fields.push(name, values);
  }
  return fields;
}

function fieldSize(field: Field): number {
  if (field == null) return 1;
  const size = Buffer.byteLength(field);
  return varintSize(size) + size;
}

function varintSize(number: number): number {
  let size = 1;
  for (let rest = number * 2; rest >= SEVEN_BITS; rest = Math.floor(rest / SEVEN_BITS)) size += 1;
  return size;
}

class Writer {
  private at = 0;

  constructor(readonly bytes: Buffer) {}

  byte(value: number): void {
    this.bytes[this.at] = value;
    this.at += 1;
  }

  /** Zigzag (twice the number; null is 1), then seven bits a byte, lowest first. */
  varint(number: number): void {
    let rest = number * 2;
    for (; rest >= SEVEN_BITS; rest = Math.floor(rest / SEVEN_BITS)) this.byte((rest % SEVEN_BITS) + SEVEN_BITS);
    this.byte(rest);
  }

  field(field: Field): void {
    this.varint(field == null ? NULL_LENGTH : Buffer.byteLength(field));
    if (field == null) return;
    this.at += typeof field === 'string' ? this.bytes.write(field, this.at) : field.copy(this.bytes, this.at);
  }
}
