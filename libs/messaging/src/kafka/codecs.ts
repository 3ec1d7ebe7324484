import { promisify } from 'node:util';
import { gunzip, zstdDecompress } from 'node:zlib';
import kafkajs from 'kafkajs';
import { decompressLz4, decompressSnappy } from './decompression.js';

/**
 * The maximum size of a batch's records, decompressed. A batch has about 1 MiB compressed, and several are in memory at a
 * time: a few bytes that expand to gigabytes must not end the process.
 */
export const MAX_BATCH_BYTES = 32 * 1_024 * 1_024;

type Decompress = (compressed: Buffer, limit: number) => Buffer | Promise<Buffer>;

const zstd = promisify(zstdDecompress);
const gzip = promisify(gunzip);

const CODECS: readonly (readonly [name: string, type: keyof typeof kafkajs.CompressionCodecs, Decompress])[] = [
  ['gzip', kafkajs.CompressionTypes.GZIP, (bytes, limit) => gzip(bytes, { maxOutputLength: limit })],
  ['snappy', kafkajs.CompressionTypes.Snappy, decompressSnappy],
  ['lz4', kafkajs.CompressionTypes.LZ4, decompressLz4],
  ['zstd', kafkajs.CompressionTypes.ZSTD, (bytes, limit) => zstd(bytes, { maxOutputLength: limit })],
];

/**
 * Lets kafkajs read every compression of Kafka, up to {@link MAX_BATCH_BYTES}; nothing is written compressed. A batch that cannot
 * be read ends the consumer with a sentence: kafkajs delivers no part of a batch, and skipping it would lose messages.
 */
export function registerCodecs(): void {
  for (const [name, type, decompress] of CODECS) {
    kafkajs.CompressionCodecs[type] = () => ({
      compress: () => {
        throw new kafkajs.KafkaJSNonRetriableError(
          `${name} is not used for writing: messages are written uncompressed.`,
        );
      },
      decompress: (bytes: Buffer) => decompressed(name, bytes, decompress),
    });
  }
}

/** @throws KafkaJSNonRetriableError: kafkajs retries any other error forever. */
async function decompressed(name: string, bytes: Buffer, decompress: Decompress): Promise<Buffer> {
  try {
    return await decompress(bytes, MAX_BATCH_BYTES);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new kafkajs.KafkaJSNonRetriableError(
      `A batch of ${bytes.length} bytes that is compressed by ${name} cannot be read (at most ${MAX_BATCH_BYTES} bytes ` +
        `decompressed): ${reason}. Nothing after it is read until its partition's position is moved past it.`,
    );
  }
}
