import type { OutgoingMessage } from './outgoing-message.js';
import type { Published } from './published.js';

/** What may be said of one message's sending. */
export interface PublishOptions {
  /** Milliseconds until the caller is answered, whatever happens. */
  readonly deadlineMs?: number;
}

/** Puts messages on topics. Also the Nest token of whichever way is used. */
export abstract class Publisher {
  /**
   * Resolves when Kafka has confirmed the message, with where it was written. Messages under one key keep their order only
   * when each is awaited before the next, or when the producer has one request at a time (`ProducerLimits.requests`). A
   * message can arrive more than once; readers tell doubles by their ids.
   * @throws NotAccepted nothing was and nothing will be sent
   * @throws OutcomeUnknown it was handed to Kafka and not confirmed in time; it may be there, or still arrive
   * @throws MessageTooLarge a mistake of the caller
   */
  abstract publish(message: OutgoingMessage, options?: PublishOptions): Promise<Published>;

  /** Takes no more, waits for what is under way (bounded), lets go of Kafka. */
  abstract close(): Promise<void>;
}
