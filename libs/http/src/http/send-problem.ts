import type { FastifyReply } from 'fastify';
import { problemOf } from '../problem.js';

/** Answers any error as a problem document. Sent as bytes: Fastify would add a charset, which JSON does not have. */
export function sendProblem(reply: FastifyReply, error: unknown): void {
  const { status, headers, body } = problemOf(error, reply.request.id);
  void reply
    .code(status)
    .headers(headers)
    .send(Buffer.from(JSON.stringify(body)));
}
