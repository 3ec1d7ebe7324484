import { TOPICS, type TopicName } from '@carbon/contracts';
import type { DeadLetter } from './letter.js';

/** Which letters are meant. */
export interface Filter {
  readonly topic?: TopicName | undefined;
  readonly reason?: string | undefined;
  /** Letters of this time or later. */
  readonly since?: Date | undefined;
}

/** The topics whose letters a filter lets through. */
export function topicsOf({ topic }: Filter): TopicName[] {
  return topic === undefined ? (Object.keys(TOPICS) as TopicName[]) : [topic];
}

/** Whether a filter lets a letter of one of its topics and times through. */
export function fits({ reason }: Filter, letter: DeadLetter): boolean {
  return reason === undefined || letter.reason === reason;
}
