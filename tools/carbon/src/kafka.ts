import { commandSettings, kafkaSettings } from '@carbon/config';
import {
  createKafka,
  DeadlineExceeded,
  hasErrorType,
  isPermanent,
  type KafkaHandle,
  kafkaConnection,
  kafkaHint,
  NotPublished,
  PublishOutcomeUnknown,
  waitForKafka,
} from '@carbon/messaging';
import { type CommandContext, CommandError, UnavailableError } from '@carbon/terminal';
import { z } from 'zod';

const settings = z.object({ ...kafkaSettings, ...commandSettings.shape });

/** How a command fails when Kafka does. */
export interface KafkaFailures {
  /** The message for a missing topic. */
  readonly missingTopic: string;
  /** Added when some messages may have been sent. */
  readonly afterSending?: string;
}

/** The Kafka that the settings name, for one command: waits for it to answer, and explains its errors. */
export class CommandKafka {
  readonly handle: KafkaHandle;
  private readonly brokers: string;
  private readonly waitMs: number;
  private reached: Promise<void> | undefined;

  /** @param say receives a sentence to print while Kafka does not answer */
  constructor(
    context: CommandContext,
    clientId: string,
    private readonly failures: KafkaFailures,
    private readonly say: (sentence: string) => void,
  ) {
    const config = context.settings(settings);
    const connection = kafkaConnection(config);
    this.handle = createKafka({ ...connection, clientId });
    this.brokers = connection.brokers.join(', ');
    this.waitMs = config.ENGINE_WAIT_MS;
  }

  /** Runs work once Kafka answers. @throws CommandError instead of an error of Kafka's */
  async run<T>(work: () => Promise<T>, isSending = false): Promise<T> {
    try {
      this.reached ??= waitForKafka(this.handle, this.waitMs, this.say);
      await this.reached;
      return await work();
    } catch (error) {
      throw this.withHint(error, isSending);
    }
  }

  private withHint(error: unknown, isSending: boolean): unknown {
    const { missingTopic, afterSending } = this.failures;
    if (hasErrorType(error, 'UNKNOWN_TOPIC_OR_PARTITION')) return new CommandError(missingTopic);
    if (!isKafkaError(error)) return error;
    const hint = kafkaHint(error) ?? 'Is it running (`npm start`), and does KAFKA_BROKERS name it?';
    const more = isSending && afterSending !== undefined ? ` ${afterSending}` : '';
    const where = `Kafka at ${this.brokers}`;
    if (error instanceof PublishOutcomeUnknown && isPermanent(error.cause)) {
      return new CommandError(`${where} refuses what was sent: ${(error.cause as Error).message}${more}`);
    }
    if (error instanceof PublishOutcomeUnknown) {
      const message = `${where} did not confirm in time what was sent; it may have arrived.`;
      return new UnavailableError(`${message}${more || ' Run the command again.'}`);
    }
    const problem = error instanceof NotPublished ? 'cannot be reached' : `cannot be used: ${error.message}`;
    return new UnavailableError(`${where} ${problem}. ${hint}${more}`);
  }
}

function isKafkaError(error: unknown): error is Error {
  const ours = [PublishOutcomeUnknown, NotPublished, DeadlineExceeded];
  if (ours.some((type) => error instanceof type) || kafkaHint(error) !== undefined) return true;
  return error instanceof Error && error.name.startsWith('KafkaJS');
}
