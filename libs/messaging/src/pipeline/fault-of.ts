import { TOPICS } from '@carbon/contracts';
import type { IHeaders } from 'kafkajs';
import { decode } from './decode.js';
import type { Letter } from './run.js';
import { type TopicTable, validate } from './validate.js';

/** What of a message says something; the rest is where it lies, and since when. */
export interface MessageContent {
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly headers?: IHeaders | undefined;
}

/** Why a consumer of the topic would give a message up before its handler saw it; undefined when it would not. */
export function faultOf(
  topic: string,
  { key, value, headers = {} }: MessageContent,
  table: TopicTable = TOPICS,
): Pick<Letter, 'code' | 'detail'> | undefined {
  const raw = { key, value, headers, timestamp: '0', attributes: 0, offset: '0' };
  const { letters } = validate(table)(decode({ topic, partition: 0, raw: [raw], messages: [], letters: [] }));
  return letters[0];
}
