import type { LibraryTopic } from '../library/library-topic.js';

type Outgoing = Parameters<LibraryTopic['publish']>[0][number];

const MESSAGES = 1_000;
const CHARACTERS = 4 * 1024 * 1024;

/** Publishes in bounded memory: while one load is under way the next gathers, and waits for it to be confirmed. */
export class SendWindow {
  private gathering: Outgoing[] = [];
  private characters = 0;
  private underWay: Promise<void> = Promise.resolve();

  constructor(private readonly library: Pick<LibraryTopic, 'publish'>) {}

  async add(message: Outgoing): Promise<void> {
    this.gathering.push(message);
    this.characters += message.json?.length ?? 0;
    if (this.gathering.length >= MESSAGES || this.characters >= CHARACTERS) await this.send();
  }

  /** Resolves when everything added is confirmed. */
  async confirmed(): Promise<void> {
    await this.send();
    await this.underWay;
  }

  private async send(): Promise<void> {
    await this.underWay;
    this.underWay = this.library.publish(this.gathering);
    // It is awaited at the next turn; until then a failure must not count as unhandled.
    this.underWay.catch(() => {});
    this.gathering = [];
    this.characters = 0;
  }
}
