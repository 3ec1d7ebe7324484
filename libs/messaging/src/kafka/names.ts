/**
 * Code speaks of topics and groups by their plain names; what stands in Kafka bears the prefix of the environment, so that
 * several systems (or test files) share one cluster. Nothing outside this library sees a prefixed name.
 */
export class Names {
  constructor(private readonly prefix: string) {}

  /** The topic's name in Kafka. */
  topic(plain: string): string {
    return this.prefix + plain;
  }

  /** The group's name in Kafka. */
  group(plain: string): string {
    return this.prefix + plain;
  }

  /** The plain name of a topic as Kafka calls it. */
  plain(topic: string): string {
    return topic.slice(this.prefix.length);
  }
}
