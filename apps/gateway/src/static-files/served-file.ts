import { createHash } from 'node:crypto';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { encodingOf, matchesEtag, RequestError, sendNotModified } from '@carbon/http';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** The media types of the files. */
export const HTML = 'text/html; charset=utf-8';
export const SCRIPT = 'text/javascript; charset=utf-8';
export const STYLE = 'text/css; charset=utf-8';
export const JSON_TYPE = 'application/json; charset=utf-8';

/** Stored, and revalidated each time: after a release no page of one version uses a script of another. */
const REVALIDATED = 'no-cache';

/** The content codings of compressed copies, the smallest first. */
const CODINGS = ['br', 'gzip'] as const;
type Coding = (typeof CODINGS)[number];

const COMPRESS: Readonly<Record<Coding, (body: Buffer) => Buffer>> = {
  br: (body) => brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (body) => gzipSync(body),
};
const COMPRESSIBLE = /^text\/|json|svg/;
const MIN_COMPRESSED_BYTES = 1_024;

/** A static file, the same for every client. */
export interface ServedFile {
  readonly body: Buffer;
  /** The media type. */
  readonly type: string;
  /** The entity tag, quotes included. */
  readonly etag: string;
  /** Further headers, by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** Compressed copies of the body. A missing one is made at the first request for it, and kept. */
  readonly compressed: Partial<Record<Coding, Buffer>>;
}

/** @param headers such as a `content-security-policy` */
export function servedFile(
  body: Buffer,
  type: string,
  headers: ServedFile['headers'] = {},
  compressed: Readonly<ServedFile['compressed']> = {},
): ServedFile {
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  return { body, type, etag, headers, compressed: { ...compressed } };
}

/** Sends a file, or 304 to a client that has it. @throws RequestError `not_found` with `absence` when there is no file */
export function sendFile(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  file: ServedFile | undefined,
  absence = 'There is no such file.',
): void {
  if (file === undefined) throw new RequestError('not_found', absence);
  const { type, body, compressed } = file;
  const hasCopies = Object.keys(compressed).length > 0;
  const isCompressible = hasCopies || (body.length >= MIN_COMPRESSED_BYTES && COMPRESSIBLE.test(type));
  const coding = isCompressible ? encodingOf(headers, CODINGS) : undefined;
  // Tells @fastify/compress not to compress this response: it would do so anew for every request, and any client may send many.
  headers['x-no-compression'] = 'true';
  // Every representation has a tag of its own (RFC 9110, 8.8.3.3), as those that are compressed for one response.
  const etag = coding === undefined ? file.etag : file.etag.replace(/"$/, `.${coding}"`);
  void reply.headers({ 'cache-control': REVALIDATED, ...file.headers, etag });
  if (coding !== undefined) void reply.header('content-encoding', coding);
  if (matchesEtag(headers['if-none-match'], etag)) sendNotModified(reply);
  else void reply.type(type).send(coding === undefined ? body : copyOf(file, coding));
}

function copyOf({ body, compressed }: ServedFile, coding: Coding): Buffer {
  compressed[coding] ??= COMPRESS[coding](body);
  return compressed[coding];
}

/** Adds the name of a request header to `Vary`. */
export function addVary(reply: FastifyReply, name: string): void {
  void reply.header('vary', [reply.getHeader('vary'), name].filter((one) => one !== undefined).join(', '));
}
