import type { FastifyInstance, FastifyReply } from 'fastify';

/** An entry of {@link ActiveRequests}. */
export interface ActiveRequest<T> {
  readonly value: T;
  /** Its index; changes when others are removed. */
  at: number;
}

/**
 * The requests in progress, in an array with swap removal. A Map or Set reallocates its table every few dozen insertions,
 * and each old table references the next. Once V8 promotes one table to the old generation, all later requests survive
 * until the next full collection, and minor collections take many times as long.
 */
export class ActiveRequests<T> {
  private readonly entries: ActiveRequest<T>[] = [];

  get size(): number {
    return this.entries.length;
  }

  values(): T[] {
    return this.entries.map(({ value }) => value);
  }

  add(value: T): ActiveRequest<T> {
    const entry = { value, at: this.entries.length };
    this.entries.push(entry);
    return entry;
  }

  /** Moves the last entry into the gap. Removing an entry twice does nothing. */
  remove(entry: ActiveRequest<T>): void {
    if (this.entries[entry.at] !== entry) return;
    const last = this.entries.pop();
    if (last === undefined || last === entry) return;
    last.at = entry.at;
    this.entries[entry.at] = last;
  }
}

const ENTRY = Symbol('active request');

type TrackedReply = FastifyReply & { [ENTRY]?: ActiveRequest<FastifyReply> };

/**
 * Calls `onTimeout` for each request whose response is not complete after `timeoutMs`. One interval checks them all: Fastify's
 * `handlerTimeout` takes a timer and an AbortController per request, a tenth of the time of a short request.
 */
export function watchRequests(
  fastify: FastifyInstance,
  timeoutMs: number,
  onTimeout: (reply: FastifyReply) => void,
): void {
  const active = new ActiveRequests<FastifyReply>();
  const remove = (reply: TrackedReply) => reply[ENTRY] && active.remove(reply[ENTRY]);
  const check = () => {
    for (const reply of active.values()) {
      if (reply.elapsedTime < timeoutMs) continue;
      remove(reply);
      if (!reply.raw.destroyed) onTimeout(reply);
    }
  };
  const interval = setInterval(check, Math.min(1_000, timeoutMs / 2)).unref();
  // Declared, so that setting it does not change the shape of every reply.
  fastify.decorateReply(ENTRY, undefined);
  fastify.addHook('onRequest', (_request, reply: TrackedReply, done) => {
    reply[ENTRY] = active.add(reply);
    done();
  });
  fastify.addHook('onResponse', (_request, reply, done) => {
    remove(reply);
    done();
  });
  fastify.addHook('onClose', (_fastify, done) => {
    clearInterval(interval);
    done();
  });
}
