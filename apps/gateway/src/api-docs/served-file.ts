import { createHash } from 'node:crypto';
import { RequestError, sendUnchanged } from '@carbon/http';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Stored, and revalidated each time: after a release no page of one version meets a script of another. */
const CACHE_CONTROL = 'no-cache';

/** A static file, the same for every client. */
export interface ServedFile {
  readonly body: Buffer;
  /** The media type. */
  readonly type: string;
  /** The entity tag, quotes included. */
  readonly etag: string;
  /** Further headers, by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
}

/** @param headers such as a `content-security-policy` */
export function servedFile(body: Buffer, type: string, headers: ServedFile['headers'] = {}): ServedFile {
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  return { body, type, etag, headers };
}

/** Sends a file, or 304 to a client that has it. @throws RequestError `not_found` with `absence` when there is no file */
export function sendFile(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  file: ServedFile | undefined,
  absence = 'There is no such file.',
): void {
  if (file === undefined) throw new RequestError('not_found', absence);
  void reply.headers({ 'cache-control': CACHE_CONTROL, ...file.headers, etag: file.etag });
  if (matches(headers['if-none-match'], file.etag)) sendUnchanged(reply);
  else void reply.type(file.type).send(file.body);
}

/** Compares `If-None-Match` with a tag; weakly, as RFC 9110, 13.1.2 says. */
function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  return ifNoneMatch?.split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, ''))) ?? false;
}
