import { sendUnchanged } from '@carbon/faults';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Answer } from './answer.js';
import { names } from './if-none-match.js';

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
