import { execFile } from 'node:child_process';
import { open } from 'node:fs/promises';
import { promisify } from 'node:util';
import { isNativeError } from 'node:util/types';
import { z } from 'zod';

const MAX_TOKEN_BYTES = 65_536;
const COMMAND_TIMEOUT_MS = 5_000;

const tokenSchema = z
  .string()
  .trim()
  .regex(/^[\x21-\x7e]+$/);

/** Where OAUTHBEARER tokens come from: a file or a shell command. */
export type TokenSource = { readonly file: string } | { readonly command: string };

/** No token could be had. The message names the setting, and never holds the token or the command. */
export class NoToken extends Error {
  override readonly name = 'NoToken';
}

/** Reads the token anew. @throws NoToken */
export async function bearerToken(source: TokenSource): Promise<string> {
  const [setting, read] =
    'file' in source
      ? ['KAFKA_SASL_TOKEN_FILE', () => readStart(source.file)]
      : ['KAFKA_SASL_TOKEN_COMMAND', () => run(source.command)];
  const text = await read().catch((error: unknown) => {
    throw new NoToken(`${setting} gives no token: ${reasonOf(error)}.`);
  });
  const token = tokenSchema.safeParse(text);
  if (token.success && token.data.length <= MAX_TOKEN_BYTES) return token.data;
  throw new NoToken(`${setting} must give one token of at most ${MAX_TOKEN_BYTES} visible ASCII characters.`);
}

/** No more than a token can have: the file may be anything. */
async function readStart(path: string): Promise<string> {
  await using file = await open(path);
  const buffer = Buffer.alloc(MAX_TOKEN_BYTES + 2);
  const { bytesRead } = await file.read(buffer, 0, buffer.length, 0);
  return buffer.toString('latin1', 0, bytesRead);
}

async function run(command: string): Promise<string> {
  const limits = { timeout: COMMAND_TIMEOUT_MS, maxBuffer: MAX_TOKEN_BYTES + 2, killSignal: 'SIGKILL' } as const;
  return (await promisify(execFile)('/bin/sh', ['-c', command], limits)).stdout;
}

/** Without the error's own message, which repeats the command with whatever secret it holds. */
function reasonOf(error: unknown): string {
  if (!isNativeError(error)) return 'unknown reason';
  if ('killed' in error && error.killed === true) return `it did not end within ${COMMAND_TIMEOUT_MS / 1_000} s`;
  return 'code' in error ? `it ended with ${String(error.code)}` : error.name;
}
