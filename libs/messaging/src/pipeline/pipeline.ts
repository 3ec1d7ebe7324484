import type { MessageHandler } from '@nestjs/microservices';
import type { MessagingLogger } from '../kafka/log.js';
import type { DeadLetterStore } from './dead-letter.js';
import { decode, inContext, validate } from './decode.js';
import type { PipelineRun, Step, TopicTable } from './message.js';
import { invokeHandler, type RetryPolicy, retry } from './retry.js';

/** What the pipeline of one topic needs. */
export interface PipelineSettings {
  readonly topics: TopicTable;
  /** The handler as Nest has wrapped it. */
  readonly handler: MessageHandler;
  readonly retry: RetryPolicy;
  readonly deadLetters: DeadLetterStore;
  readonly logger: MessagingLogger;
}

/** Returns the steps that the messages of a topic pass through, in order. After the last one their position is committed. */
export function createPipeline({ topics, handler, deadLetters, ...settings }: PipelineSettings): readonly Step[] {
  return [
    decode,
    validate(topics),
    retry(
      inContext((batch) => invokeHandler(handler, batch)),
      settings.retry,
      settings.logger,
    ),
    deadLetters.store,
  ];
}

/** Passes messages through the steps, one after the other. */
export async function runPipeline(steps: readonly Step[], run: PipelineRun): Promise<void> {
  let state = run;
  for (const step of steps) state = await step(state);
}
