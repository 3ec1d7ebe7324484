import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import type { TopicName } from '@carbon/contracts';
import { MOMENT_FORMS, momentOf, WrongUsage } from '@carbon/terminal';
import { InvalidArgumentError } from 'commander';
import { type Place, placeOf, topicOf } from './letter/place.js';

/** A place such as `offset.requested:17`. */
export function readPlace(text: string): Place {
  const place = placeOf(text);
  if (place !== undefined) return place;
  throw new InvalidArgumentError('a place is <topic>:<position>, such as offset.requested:17; `list` tells them.');
}

/** Places, one after the other. */
export function readPlaces(text: string, before: readonly Place[] = []): readonly Place[] {
  return [...before, readPlace(text)];
}

/** The name of a topic, or of its dead-letter topic. */
export function readTopicName(text: string): TopicName {
  const topic = topicOf(text);
  if (topic !== undefined) return topic;
  throw new InvalidArgumentError('there is no such topic.');
}

/** A moment, or how long ago it was: `2026-11-21T08:00:00Z`, `90m`, `2d`. */
export function readSince(text: string): Date {
  const moment = momentOf(text);
  if (moment !== undefined) return moment;
  throw new InvalidArgumentError(`must be ${MOMENT_FORMS}.`);
}

/** The bytes of a file, `-` for standard input. */
export async function readValue(path: string): Promise<Buffer> {
  try {
    return await (path === '-' ? buffer(process.stdin) : readFile(path));
  } catch (error) {
    throw new WrongUsage(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}
