import { invalidReason, type MessageContent } from '@carbon/messaging';
import { printableLines } from '@carbon/terminal';
import type { IHeaders } from 'kafkajs';
import { contentOf, type DeadLetter } from '../letter/letter.js';
import { nameOf } from '../letter/place.js';
import { oneLine, readable } from '../letter/readable.js';
import { factsOf } from '../list/list-letters.js';
import type { Whole } from './whole-message.js';

const NAME_WIDTH = 14;
const LONGEST_HEADER = 1_000;

/** A letter and its message as JSON: bytes as `{text}` where they are UTF-8, as `{hex}` where they are not. */
export function letterAsJson(letter: DeadLetter, whole: Whole): string {
  const message = messageIn(letter, whole);
  const { bytes: _, key: __, ...facts } = factsOf(letter);
  const shown = {
    ...facts,
    ...('gone' in whole && { gone: whole.gone }),
    fault: invalidReason(letter.place.topic, message),
    key: message.key && readable(message.key),
    headers: headersOf(message.headers).map(([name, value]) => ({ name, ...readable(value) })),
    value: message.value && readable(message.value),
  };
  return JSON.stringify(shown, undefined, 2);
}

/** A letter and its message for a person. */
export function letterAsText(letter: DeadLetter, whole: Whole): string {
  const message = messageIn(letter, whole);
  const { value } = message;
  const facts: [string, string][] = [
    ['letter', nameOf(letter.place)],
    ['written', letter.at.toISOString()],
    ['reason', oneLine(letter.reason)],
    ['given up by', `${oneLine(letter.handler)}, after ${letter.attempts ?? 'unknown'} attempts of its handler`],
    ['first failed', oneLine(letter.firstFailedAt)],
    ['came from', originOf(letter)],
    ['appended', letter.appendedAt.toISOString()],
    ['now', verdict(letter, message)],
    ...('gone' in whole ? ([['cut', whole.gone]] as [string, string][]) : []),
    ['key', oneLine(message.key, LONGEST_HEADER)],
    ...headersOf(message.headers).map(([name, bytes]): [string, string] => [
      oneLine(name),
      oneLine(bytes, LONGEST_HEADER),
    ]),
    ['value', value === null ? 'none (null)' : `${value.length} bytes`],
  ];
  const lines = facts.map(([name, text]) => `${name.padEnd(NAME_WIDTH)} ${text}`);
  return [...lines, ...(value === null ? [] : ['', bytesAsText(value)])].join('\n');
}

function originOf({ place, origin }: DeadLetter): string {
  return origin === undefined ? '-' : `${place.topic}, partition ${origin.partition}, position ${origin.position}`;
}

/** What was wrong is not on the letter, only its kind; but a consumer of today can be asked. */
function verdict({ place }: DeadLetter, message: MessageContent): string {
  const fault = invalidReason(place.topic, message);
  return fault === undefined
    ? 'fits the topic’s schema; whether its handler can honour it, only the handler knows'
    : `would be given up again: ${fault.code}: ${oneLine(fault.detail, LONGEST_HEADER)}`;
}

function messageIn(letter: DeadLetter, whole: Whole): MessageContent {
  return 'message' in whole ? whole.message : contentOf(letter);
}

function headersOf(headers: IHeaders = {}): [string, Buffer][] {
  return Object.entries(headers).flatMap(([name, values]) =>
    (Array.isArray(values) ? values : [values]).map((value): [string, Buffer] => [name, Buffer.from(value ?? '')]),
  );
}

function bytesAsText(value: Buffer): string {
  const found = readable(value);
  return 'text' in found ? printableLines(found.text) : found.hex;
}
