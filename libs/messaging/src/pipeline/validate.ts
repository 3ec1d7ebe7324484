import type { Topic } from '@carbon/contracts';
import type { Received } from './received.js';
import { type Letter, type Sorting, sift, unfit } from './run.js';

/** Topics by plain name; the contracts' `TOPICS` is one. */
export type TopicTable = Readonly<Record<string, Topic>>;

const MOST_ISSUES = 3;

/**
 * Checks each value against the schema its `ce_type` names. A reader is tolerant: members it does not know are left out,
 * not refused, so that a writer may be a version ahead; a type it does not know is refused.
 */
export function validate(topics: TopicTable): <T extends Sorting>(run: T) => T {
  return (run) => {
    const topic = topics[run.topic];
    if (topic === undefined) throw new Error(`There is no topic ${run.topic} in the table of topics.`);
    const { messages, letters } = sift(run.messages, (message) => validateOne(topic, message));
    return { ...run, messages, letters: [...run.letters, ...letters] };
  };
}

function validateOne(topic: Topic, message: Received): Received | Letter {
  const { raw, type, value } = message;
  if (value === null) {
    return topic.tombstones ? message : unfit(raw, 'unexpected_tombstone', 'The topic knows no withdrawals.');
  }
  const schema = Object.hasOwn(topic.types, type) ? topic.types[type] : undefined;
  if (schema === undefined) return unfit(raw, 'unknown_type', 'The header ce_type names no type of this topic.');
  const result = schema.safeParse(value);
  if (result.success) return { ...message, value: result.data };
  const issues = result.error.issues.slice(0, MOST_ISSUES);
  return unfit(raw, 'invalid_data', issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; '));
}
