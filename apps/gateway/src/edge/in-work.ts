import type { Socket } from 'node:net';
import { TransientError } from '@carbon/http';
import type { AdmissionStep, Visit } from './admission-step.js';

const TOO_MUCH = 'Too much is asked for at a time. Try again shortly.';

const LEFT = 'The connection was closed before the request was begun.';

/** How many requests may be worked on. */
export interface WorkBounds {
  /** In all. */
  readonly most: number;
  /** Of one account, where callers show keys: without it one alone could take all, by bodies that never come. */
  readonly mostOfAccount: number;
  /** Of one connection: a client that sends on without taking answers makes us keep them all. */
  readonly mostOfConnection: number;
}

/** The answer to who comes while there is too much. */
export type BusyFault = (visit: Visit) => Error;

/**
 * Bounds the requests under `/v1` that are begun and not answered, whatever they wait for, so that a rush cannot take all
 * memory. The last step: who is turned away by another costs nothing. What is refused here was not begun.
 */
export class InWork implements AdmissionStep {
  private readonly ofAccount = new Map<string, number>();
  private readonly ofConnection = new WeakMap<Socket, number>();
  private inAll = 0;

  /** @param special the faults of the routes that name one as their config's `busy` */
  constructor(
    private readonly bounds: WorkBounds,
    private readonly special: Readonly<Record<string, BusyFault>> = {},
  ) {}

  /** @throws TransientError `service_unavailable`, or the special one of the route */
  admit(visit: Visit): void {
    const { request, reply, caller } = visit;
    const { socket } = request.raw;
    // While the gateway is open everybody has one account, and all of it is theirs.
    const account = caller?.key === undefined ? undefined : caller.account;
    // A client may have left while a step before this one waited: its end is over, and would never be counted.
    if (socket.destroyed) throw new TransientError('service_unavailable', LEFT);
    if (!this.hasRoom(socket, account)) throw this.busy(visit);
    this.count(socket, account, 1);
    reply.raw.once('close', () => this.count(socket, account, -1));
  }

  private hasRoom(socket: Socket, account: string | undefined): boolean {
    const { most, mostOfAccount, mostOfConnection } = this.bounds;
    if (this.inAll >= most || (this.ofConnection.get(socket) ?? 0) >= mostOfConnection) return false;
    return account === undefined || (this.ofAccount.get(account) ?? 0) < mostOfAccount;
  }

  private count(socket: Socket, account: string | undefined, change: 1 | -1): void {
    this.inAll += change;
    this.ofConnection.set(socket, (this.ofConnection.get(socket) ?? 0) + change);
    if (account === undefined) return;
    const now = (this.ofAccount.get(account) ?? 0) + change;
    // Accounts come and go with the key file: those that ask for nothing are not kept.
    if (now === 0) this.ofAccount.delete(account);
    else this.ofAccount.set(account, now);
  }

  private busy(visit: Visit): Error {
    const config: object = visit.request.routeOptions.config;
    const special = 'busy' in config ? this.special[String(config.busy)] : undefined;
    return special?.(visit) ?? new TransientError('service_unavailable', TOO_MUCH);
  }
}
