import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import type { TopicName } from '@carbon/contracts';
import { InvalidArgumentError } from 'commander';
import { WrongUsage } from './failures.js';
import { type Place, placeOf, topicOf } from './letter/place.js';

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const LATEST_MS = 8_640_000_000_000_000;

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
  const [, count, unit = ''] = /^([0-9]{1,9})([smhd])$/.exec(text) ?? [];
  const ms = count === undefined ? momentOf(text) : Date.now() - Number(count) * (UNITS[unit] ?? 0);
  if (Number.isNaN(ms) || ms > LATEST_MS) {
    throw new InvalidArgumentError('must be a time (2026-11-21T08:00:00Z) or how long ago (90m, 12h, 2d).');
  }
  return new Date(Math.max(ms, 0));
}

/** The bytes of a file, `-` for standard input. */
export async function readValue(path: string): Promise<Buffer> {
  try {
    return await (path === '-' ? buffer(process.stdin) : readFile(path));
  } catch (error) {
    throw new WrongUsage(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Only whole times with a zone: what `Date.parse` makes of others depends on where it is asked. */
function momentOf(text: string): number {
  return /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/.test(text)
    ? Date.parse(text)
    : Number.NaN;
}
