import {
  NotAccepted,
  type OutgoingMessage,
  type Published,
  type PublishOptions,
  SelfClockedProducer,
} from '@carbon/messaging';

/** The real producer, which refuses or holds back what it is told to, and remembers what it published. */
export class WatchedProducer extends SelfClockedProducer {
  readonly taken: OutgoingMessage[] = [];
  /** What was said of each message's sending, also of those refused. */
  readonly asked: PublishOptions[] = [];
  refuse = (_: OutgoingMessage): boolean => false;
  hold: Promise<void> = Promise.resolve();

  override async publish(message: OutgoingMessage, options: PublishOptions = {}): Promise<Published> {
    this.asked.push(options);
    if (this.refuse(message)) throw new NotAccepted('away');
    const published = await super.publish(message, options);
    this.taken.push(message);
    await this.hold;
    return published;
  }
}

/** The id of the event that a message carries. */
export function idOf({ headers }: OutgoingMessage): string {
  return headers.ce_id ?? '';
}
