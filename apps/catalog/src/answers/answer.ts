import { createHash } from 'node:crypto';
import { sendUnchanged } from '@carbon/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CachedResponse } from './response-cache.js';

/** What stands in an answer's head beside what every answer has, by lower-case name. */
export type AnswerHeaders = Readonly<Record<string, string>>;

/** An answer of 200 in its final form: bytes of JSON and all that is said about them. */
export interface Answer extends CachedResponse {
  readonly body: Buffer;
  readonly headers: AnswerHeaders;
  /** The entity tag, quotes included. Strong, for the same tag means the same bytes and the same headers. */
  readonly etag: string;
}

const TAG_CHARACTERS = 22;

/** @param askedAt when what the answer tells was asked for, by `performance.now()` */
export function answerOf(askedAt: number, body: Buffer, headers: AnswerHeaders = {}): Answer {
  const head = JSON.stringify(headers);
  // The head's length first, so that no end of a head can be taken for the beginning of a body.
  const digest = createHash('sha256').update(`${head.length} ${head}`).update(body).digest('base64url');
  const etag = `"${digest.slice(0, TAG_CHARACTERS)}"`;
  return { askedAt, body, headers, etag, bytes: body.length + 2 * head.length };
}

/**
 * Whether an `If-None-Match` header (RFC 9110, 13.1.2) names an entity tag: `*`, or a list in which it stands, weak or
 * strong. What is no such header names nothing.
 *
 * @param etag one of ours: in quotes, without a quote or a comma within. In a list nothing but commas, spaces and `W/`
 *   stands between a closing quote and an opening one, so it can be found there by its letters alone.
 */
export function names(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.trim() === '*' || ifNoneMatch.includes(etag);
}

/** For as long as an answer may be kept here, it may be kept by who asked; by nobody in between. */
const FRESH = 'private, max-age=1';

/**
 * Sends an answer, or 304 to who has it already. A 304 tells what a cache needs to go on with what it has (RFC 9110,
 * 15.4.5): the rest of the head is as it was, for the tag covers it.
 */
export function sendAnswer(request: FastifyRequest, reply: FastifyReply, answer: Answer): void {
  const { askedAt, body, headers, etag } = answer;
  // In whole seconds (RFC 9111, 5.1): who got one that was kept for long here keeps it no second more.
  const age = Math.round((performance.now() - askedAt) / 1_000);
  if (age > 0) void reply.header('age', String(age));
  void reply.header('cache-control', FRESH).header('etag', etag);
  if (names(request.headers['if-none-match'], etag)) sendUnchanged(reply);
  else void reply.type('application/json; charset=utf-8').headers(headers).send(body);
}
