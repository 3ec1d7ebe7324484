import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import { storedTag } from './compression.js';
import { problemOf } from './problem.js';

/** Replies with the problem document of any error. Sent as bytes, because Fastify would add a charset to a string. */
export function sendProblem(reply: FastifyReply, error: unknown): void {
  const { status, headers, body } = problemOf(error, reply.request.id);
  void reply
    .code(status)
    .headers(headers)
    .send(Buffer.from(JSON.stringify(body)));
}

/**
 * Replies 304 with the headers set so far. Bypasses Fastify, which would send `Content-Length: 0` to HEAD, unlike to GET
 * (RFC 9110, 8.6).
 */
export function sendNotModified(reply: FastifyReply): void {
  reply.hijack();
  reply.raw.statusCode = 304;
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) reply.raw.setHeader(name, value);
  }
  const etag = reply.getHeader('etag');
  if (typeof etag === 'string') reply.raw.setHeader('etag', storedTag(reply.request, etag));
  reply.raw.end();
}

interface Reply {
  readonly raw: ServerResponse;
}

/**
 * Calls back when the connection of a request closes before its response is complete; no `onResponse` follows then. Fastify's
 * `onRequestAbort` would miss a request whose body has been read.
 */
export function onDisconnect({ raw }: Reply, callback: () => void): void {
  raw.once('close', () => {
    if (!raw.writableFinished) callback();
  });
}

/** Returns a signal that aborts when the client disconnects before it has the whole response. */
export function disconnectSignal(reply: Reply): AbortSignal {
  const controller = new AbortController();
  onDisconnect(reply, () => controller.abort(new Error('the client disconnected')));
  return controller.signal;
}
