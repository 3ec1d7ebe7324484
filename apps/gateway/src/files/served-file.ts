import { createHash } from 'node:crypto';
import { sendUnchanged } from '@carbon/http';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Kept, and asked about by its tag each time: a release shows at once, and no page of one meets a script of another. */
const KEPT = 'no-cache';

/** A file as it is served: to everybody, the same to each. */
export interface ServedFile {
  readonly body: Buffer;
  /** The media type. */
  readonly type: string;
  /** The entity tag, quotes included. */
  readonly etag: string;
  /** What the answer's head holds beside what every file's does, by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
}

/** @param headers such as a `content-security-policy` */
export function servedFile(body: Buffer, type: string, headers: ServedFile['headers'] = {}): ServedFile {
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  return { body, type, etag, headers };
}

/** Sends a file, or 304 to who has it already. */
export function sendFile({ headers: asked }: FastifyRequest, reply: FastifyReply, file: ServedFile): void {
  void reply.headers({ 'cache-control': KEPT, ...file.headers, etag: file.etag });
  if (names(asked['if-none-match'], file.etag)) sendUnchanged(reply);
  else void reply.type(file.type).send(file.body);
}

/** Whether an `If-None-Match` names a tag; the comparison is the weak one (RFC 9110, 13.1.2). */
function names(asked: string | undefined, etag: string): boolean {
  return asked?.split(',').some((one) => ['*', etag].includes(one.trim().replace(/^W\//, ''))) ?? false;
}
