import { NotAccepted, type OutgoingMessage, type Published, SelfClockedProducer } from '@carbon/messaging';

/** The real producer, which refuses or holds back what it is told to, and remembers what it published. */
export class WatchedProducer extends SelfClockedProducer {
  readonly taken: OutgoingMessage[] = [];
  refuse = (_: OutgoingMessage): boolean => false;
  hold: Promise<void> = Promise.resolve();

  override async publish(message: OutgoingMessage): Promise<Published> {
    if (this.refuse(message)) throw new NotAccepted('away');
    const published = await super.publish(message);
    this.taken.push(message);
    await this.hold;
    return published;
  }
}

/** The id of the event that a message carries. */
export function idOf({ headers }: OutgoingMessage): string {
  return headers.ce_id ?? '';
}
