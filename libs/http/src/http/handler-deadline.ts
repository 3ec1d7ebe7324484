import type { FastifyInstance, FastifyReply } from 'fastify';
import { type Flight, InFlight } from './in-flight.js';

/** Where a reply holds its place among those that are watched. */
const FLIGHT = Symbol('flight');

type Watched = FastifyReply & { [FLIGHT]?: Flight<FastifyReply> };

/**
 * Ends requests whose handler gives no answer: `onLate` is called for each once it is `limitMs` old. One clock watches
 * them all. Fastify's `handlerTimeout` would do the same with a timer and an AbortController per request, which cost a
 * tenth of the time of a short request.
 */
export function watchHandlers(fastify: FastifyInstance, limitMs: number, onLate: (reply: FastifyReply) => void): void {
  const begun = new InFlight<FastifyReply>();
  // Declared, so that setting it does not change the shape of every reply.
  fastify.decorateReply(FLIGHT, undefined);
  fastify.addHook('onRequest', (_request, reply: Watched, done) => {
    reply[FLIGHT] = begun.enter(reply);
    done();
  });
  const leave = (reply: Watched) => {
    if (reply[FLIGHT] !== undefined) begun.leave(reply[FLIGHT]);
  };
  fastify.addHook('onResponse', (_request, reply, done) => {
    leave(reply);
    done();
  });
  const clock = setInterval(
    () => {
      for (const reply of begun.values()) {
        if (reply.elapsedTime < limitMs) continue;
        leave(reply);
        if (!reply.raw.destroyed) onLate(reply);
      }
    },
    Math.min(1_000, limitMs / 2),
  ).unref();
  fastify.addHook('onClose', (_fastify, done) => {
    clearInterval(clock);
    done();
  });
}
