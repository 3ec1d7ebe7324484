import { promisify } from 'node:util';
import { gunzip, zstdDecompress } from 'node:zlib';
import kafkajs from 'kafkajs';
import { decompressLz4 } from './lz4.js';
import { decompressSnappy } from './snappy.js';

/**
 * The most that the records of one batch may be, decompressed. A batch is some 1 MiB compressed, and several are in memory at
 * a time: a few bytes that become gigabytes must not end the process.
 */
export const MAX_BATCH_BYTES = 32 * 1_024 * 1_024;

type Decompress = (compressed: Buffer, limit: number) => Buffer | Promise<Buffer>;

const zstd = promisify(zstdDecompress);
const gzip = promisify(gunzip);

let registered = false;

const CODECS: readonly (readonly [name: string, type: keyof typeof kafkajs.CompressionCodecs, Decompress])[] = [
  ['gzip', kafkajs.CompressionTypes.GZIP, (bytes, limit) => gzip(bytes, { maxOutputLength: limit })],
  ['snappy', kafkajs.CompressionTypes.Snappy, decompressSnappy],
  ['lz4', kafkajs.CompressionTypes.LZ4, decompressLz4],
  ['zstd', kafkajs.CompressionTypes.ZSTD, (bytes, limit) => zstd(bytes, { maxOutputLength: limit })],
];

/**
 * Lets kafkajs read every compression that Kafka knows, each up to {@link MAX_BATCH_BYTES}. Nothing is written compressed. What
 * cannot be read ends a consumer with a sentence: kafkajs takes no part of a batch, and to pass over it would lose messages.
 */
export function registerCodecs(): void {
  if (registered) return;
  registered = true;
  for (const [name, type, decompress] of CODECS) {
    kafkajs.CompressionCodecs[type] = () => ({
      compress: () => {
        throw new kafkajs.KafkaJSNonRetriableError(`Nothing is written compressed, and so not by ${name}.`);
      },
      decompress: (bytes: Buffer) => decompressed(name, bytes, decompress),
    });
  }
}

/** @throws KafkaJSNonRetriableError: kafkajs would try anything else again without end. */
async function decompressed(name: string, bytes: Buffer, decompress: Decompress): Promise<Buffer> {
  try {
    return await decompress(bytes, MAX_BATCH_BYTES);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new kafkajs.KafkaJSNonRetriableError(
      `A batch of ${bytes.length} bytes that is compressed by ${name} cannot be read (at most ${MAX_BATCH_BYTES} bytes ` +
        `decompressed): ${reason}. Nothing behind it is read until its partition's position is moved past it.`,
    );
  }
}
