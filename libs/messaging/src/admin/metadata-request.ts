/** The Metadata request: https://kafka.apache.org/43/design/protocol/#The_Messages_Metadata */
const API_KEY = 3;
/** The response has topic IDs since version 10, and 12 accepts a topic without its ID; kafkajs stops at 6. */
const API_VERSION = 12;
const UUID_BYTES = 16;
const ZERO_UUID = '0'.repeat(2 * UUID_BYTES);
const SEVEN_BITS = 128;

/** One topic of the Metadata response. */
export interface TopicMetadata {
  /** 0 is none. */
  readonly errorCode: number;
  readonly name: string | undefined;
  /** In PostgreSQL's form of a uuid. */
  readonly topicId: string;
}

/** The Metadata response, as far as we read it. */
export interface ClusterMetadata {
  readonly clusterId: string | undefined;
  readonly topics: readonly TopicMetadata[];
}

/** A request with the decoder of its response, in the form that kafkajs sends. */
export interface ProtocolRequest<T> {
  readonly request: {
    readonly apiKey: number;
    readonly apiVersion: number;
    readonly apiName: string;
    readonly encode: () => Promise<{ readonly buf: Buffer; readonly buffer: Buffer }>;
  };
  readonly response: { readonly decode: (payload: Buffer) => Promise<T>; readonly parse: (decoded: T) => Promise<T> };
}

/** Builds the Metadata request for topics by full name. It creates no topic. */
export function metadataRequest(topics: readonly string[]): ProtocolRequest<ClusterMetadata> {
  return {
    request: {
      apiKey: API_KEY,
      apiVersion: API_VERSION,
      apiName: 'Metadata',
      encode: async () => {
        const buffer = encode(topics);
        return { buf: buffer, buffer };
      },
    },
    response: { decode: async (payload) => decodeMetadata(payload), parse: async (decoded) => decoded },
  };
}

function encode(topics: readonly string[]): Buffer {
  const parts = topics.flatMap((topic) => [
    Buffer.alloc(UUID_BYTES),
    varint(Buffer.byteLength(topic) + 1),
    Buffer.from(topic),
    Buffer.of(0),
  ]);
  // Header tags; topics; allow_auto_topic_creation and include_topic_authorized_operations off; tags.
  return Buffer.concat([Buffer.of(0), varint(topics.length + 1), ...parts, Buffer.of(0, 0, 0)]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= SEVEN_BITS; rest = Math.floor(rest / SEVEN_BITS)) bytes.push((rest % SEVEN_BITS) + SEVEN_BITS);
  return Buffer.from([...bytes, rest]);
}

/** Decodes the response after its correlation ID. @throws RangeError when it is cut off */
export function decodeMetadata(payload: Buffer): ClusterMetadata {
  const reader = new Reader(payload);
  reader.skipTags();
  reader.skip(4);
  reader.array(() => {
    reader.skip(4);
    reader.string();
    reader.skip(4);
    reader.string();
    reader.skipTags();
  });
  const clusterId = reader.string();
  reader.skip(4);
  return { clusterId, topics: reader.array(() => topicMetadata(reader)) };
}

function topicMetadata(reader: Reader): TopicMetadata {
  const errorCode = reader.int16();
  const name = reader.string();
  const topicId = reader.uuid();
  reader.skip(1);
  reader.array(() => {
    reader.skip(2 + 4 + 4 + 4);
    for (let list = 0; list < 3; list += 1) reader.array(() => reader.skip(4));
    reader.skipTags();
  });
  reader.skip(4);
  reader.skipTags();
  return { errorCode, name, topicId };
}

/** Returns whether a topic has no ID: it was created before Kafka 2.8, or does not exist. */
export function isZeroId(topicId: string): boolean {
  return topicId.replaceAll('-', '') === ZERO_UUID;
}

class Reader {
  private place = 0;

  constructor(private readonly bytes: Buffer) {}

  skip(count: number): void {
    if (this.place + count > this.bytes.length) throw new RangeError('The Metadata response is cut off.');
    this.place += count;
  }

  int16(): number {
    this.skip(2);
    return this.bytes.readInt16BE(this.place - 2);
  }

  varint(): number {
    for (let value = 0, factor = 1; ; factor *= SEVEN_BITS) {
      this.skip(1);
      const byte = this.bytes.readUInt8(this.place - 1);
      value += (byte % SEVEN_BITS) * factor;
      if (byte < SEVEN_BITS) return value;
    }
  }

  /** A compact string: its length is one more than its bytes, 0 is null. */
  string(): string | undefined {
    const length = this.varint() - 1;
    if (length < 0) return undefined;
    this.skip(length);
    return this.bytes.toString('utf8', this.place - length, this.place);
  }

  uuid(): string {
    this.skip(UUID_BYTES);
    const hex = this.bytes.toString('hex', this.place - UUID_BYTES, this.place);
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  }

  array<T>(element: () => T): T[] {
    const length = Math.max(0, this.varint() - 1);
    return Array.from({ length }, element);
  }

  skipTags(): void {
    for (let left = this.varint(); left > 0; left -= 1) {
      this.varint();
      this.skip(this.varint());
    }
  }
}
