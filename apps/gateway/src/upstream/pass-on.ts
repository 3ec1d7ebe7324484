import { sendUnchanged } from '@carbon/http';
import type { FastifyReply } from 'fastify';
import type { UpstreamAnswer } from './trusted-answer.js';

/** What the app that answers says about its answer; everything else in its head is between it and us. */
const PASSED_ON = ['content-type', 'link', 'x-total-count', 'etag', 'retry-after', 'cache-control', 'age'] as const;

/** Gives an answer to the client as it came: status, body byte for byte, and the headers that speak of it. */
export function passOn(reply: FastifyReply, { status, headers, body }: UpstreamAnswer): void {
  void reply.code(status);
  for (const name of PASSED_ON) {
    const value = headers[name];
    if (value !== undefined) void reply.header(name, value);
  }
  if (status === 304) sendUnchanged(reply);
  else void reply.send(body);
}
