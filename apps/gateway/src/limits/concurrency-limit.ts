import type { Socket } from 'node:net';
import { Ids } from '@carbon/contracts';
import { TransientError } from '@carbon/http';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { GATEWAY_CONFIG, type GatewayConfig } from '../gateway.config.js';
import { idempotencyKey } from '../offsets/offset-request.js';
import { notAccepted } from '../offsets/offset-requested.js';
import { collectErrors } from '../requests.js';
import type { AdmissionContext, AdmissionStep } from './admission.js';

type Bounds = Pick<GatewayConfig, 'REQUESTS_IN_FLIGHT' | 'REQUESTS_PER_ACCOUNT' | 'REQUESTS_PER_CONNECTION'>;

/**
 * Load shedding: bounds the requests that have begun and are not answered, under `/v1` in total and per account, and all of them
 * per connection. Without the share of an account one caller could take every slot, by bodies that never arrive; without that
 * of a connection a client that pipelines could make the gateway buffer all its responses. The last step: a request that is refused
 * before costs no slot.
 */
@Injectable()
export class ConcurrencyLimit implements AdmissionStep {
  private readonly perAccount = new Map<string, number>();
  private readonly perConnection = new WeakMap<Socket, number>();
  private readonly limit: { readonly total: number; readonly account: number; readonly connection: number };
  private total = 0;

  constructor(
    private readonly ids: Ids,
    @Inject(GATEWAY_CONFIG) bounds: Bounds,
  ) {
    const { REQUESTS_IN_FLIGHT: total, REQUESTS_PER_CONNECTION: connection } = bounds;
    // A quarter unless set: it takes four overloading accounts to shed the requests of others.
    this.limit = { total, connection, account: bounds.REQUESTS_PER_ACCOUNT ?? Math.ceil(total / 4) };
  }

  /** @throws TransientError `service_unavailable`, or `not_accepted` for a new offset */
  admit(context: AdmissionContext): void {
    const { request, reply, caller } = context;
    const { socket } = request.raw;
    // In open mode all callers have one account, and it may use every slot.
    const account = caller?.key === undefined ? undefined : caller.account;
    // A client that left during an earlier step never emits `close` again, so its slot would be lost.
    if (socket.destroyed) {
      throw new TransientError('service_unavailable', 'The connection closed before the request started.');
    }
    if (!this.hasRoom(socket, account)) throw overloadError(context, this.ids);
    this.add(socket, account, 1);
    reply.raw.once('close', () => this.add(socket, account, -1));
  }

  /** Admits a request to a public route. @throws TransientError `service_unavailable` if its connection has no room */
  admitPublic({ raw: { socket } }: FastifyRequest, reply: FastifyReply): void {
    if (!this.hasConnectionRoom(socket)) throw overloaded();
    this.addToConnection(socket, 1);
    reply.raw.once('close', () => this.addToConnection(socket, -1));
  }

  private hasConnectionRoom(socket: Socket): boolean {
    return (this.perConnection.get(socket) ?? 0) < this.limit.connection;
  }

  private addToConnection(socket: Socket, change: 1 | -1): void {
    this.perConnection.set(socket, (this.perConnection.get(socket) ?? 0) + change);
  }

  private hasRoom(socket: Socket, account: string | undefined): boolean {
    const { total, account: accountLimit } = this.limit;
    if (this.total >= total || !this.hasConnectionRoom(socket)) return false;
    return account === undefined || (this.perAccount.get(account) ?? 0) < accountLimit;
  }

  private add(socket: Socket, account: string | undefined, change: 1 | -1): void {
    this.total += change;
    this.addToConnection(socket, change);
    if (account === undefined) return;
    const count = (this.perAccount.get(account) ?? 0) + change;
    // Accounts come and go with the key file: idle ones are not kept.
    if (count === 0) this.perAccount.delete(account);
    else this.perAccount.set(account, count);
  }
}

/**
 * Returns the 503 for a request that is shed. A route with `overload: 'not_accepted'` creates an offset: its 503 has a
 * `retryKey`, as when Kafka did not take the request.
 */
export function overloadError({ request, caller }: AdmissionContext, ids: Ids): TransientError {
  const config: object = request.routeOptions.config;
  const createsOffset = 'overload' in config && config.overload === 'not_accepted';
  if (!createsOffset || caller === undefined) {
    return overloaded();
  }
  const key = collectErrors([], () => idempotencyKey(request.raw));
  return notAccepted(key ?? ids.generate('off', caller.account, Date.now()));
}

function overloaded(): TransientError {
  return new TransientError('service_unavailable', 'Too many requests are in progress. Try again shortly.');
}
