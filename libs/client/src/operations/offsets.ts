import { idempotencyKey } from '../ask/idempotency-key.js';
import type { Service } from '../ask/service.js';
import { unexpected } from '../errors/read-problem.js';
import { Listing } from '../listing/listing.js';
import { cursorOf } from '../listing/next-link.js';
import type { CallOptions } from '../options.js';
import { readArray, readObject } from '../shape.js';
import type {
  AcceptedOffset,
  CompletedOffset,
  FailedOffset,
  NewOffset,
  Offset,
  OffsetFilter,
  QueuedOffset,
  Receipt,
} from '../types.js';
import { offsetOf } from './offset-of.js';
import { RECEIPT, RECORDED } from './shapes.js';
import { type WaitOptions, waitForEnd } from './wait-for-end.js';

const PATH = '/v1/offsets';
/** The id within the message of a 202. */
const ACCEPTED = /^Offset event with ID: (\S+) queued for processing\.$/;

/** How an offset is sent. */
export interface CreateOptions extends CallOptions {
  /**
   * Your own key for this request, 1 to 255 visible ASCII characters: under one key there is one offset, also when your
   * program starts again between two tries. Made for each call unless given.
   */
  readonly idempotencyKey?: string | undefined;
}

/** Offsets: a weight of emissions, and the credits retired against it. */
export class Offsets {
  constructor(private readonly service: Service) {}

  /**
   * Has an offset accepted. It is durable when this resolves, and worked on after that: see {@link waitFor}. It is sent
   * under an idempotency key, so tries that follow a lost answer lead to the same offset.
   *
   * @throws CarbonError its `retryKey` is the key to send again when it is not known what became of it
   */
  async create(offset: NewOffset, { idempotencyKey: given, ...options }: CreateOptions = {}): Promise<AcceptedOffset> {
    const key = idempotencyKey(given);
    const question = { method: 'POST', path: PATH, body: offset, idempotencyKey: key, expects: [202] } as const;
    const reply = await this.service.ask(question, options);
    const { message } = readObject<{ readonly message: string }>(reply, { message: 'string' });
    const id = ACCEPTED.exec(message)?.[1];
    if (id === undefined) throw unexpected(reply, 'holds no id');
    return { id, message, replayed: reply.headers.get('idempotency-replayed') === 'true', idempotencyKey: key };
  }

  /** One offset. Just after it was accepted it may not be recorded yet: then only its id and status are known. */
  async get(id: string, options?: CallOptions): Promise<Offset | QueuedOffset> {
    return offsetOf(await this.service.ask({ method: 'GET', path: PATH, query: { id }, expects: [200] }, options));
  }

  /** The recorded offsets of the account, newest first. */
  list(filter: OffsetFilter = {}, options?: CallOptions): Listing<Offset> {
    const { createdFrom, createdTo, ...rest } = filter;
    const first = { ...rest, createdFrom: timeOf(createdFrom), createdTo: timeOf(createdTo) };
    return new Listing(async (query) => {
      const question = { method: 'GET', path: PATH, query: query ?? first, expects: [200] } as const;
      const reply = await this.service.ask(question, options);
      const next = this.service.next(question, reply);
      return { page: { items: readArray<Offset>(reply, RECORDED), cursor: cursorOf(next) }, next };
    });
  }

  /** Waits until an offset is `completed` or `failed`. @throws TimedOutError when it still is neither */
  async waitFor(id: string, options?: WaitOptions): Promise<CompletedOffset | FailedOffset> {
    return await waitForEnd((patience) => this.get(id, patience), id, options);
  }

  /** What the ledger holds of an offset, with the hashes that prove it; no entries until it is completed. */
  async receipt(id: string, options?: CallOptions): Promise<Receipt> {
    const question = { method: 'GET', path: '/v1/retirements', query: { offset: id }, expects: [200] } as const;
    return readObject<Receipt>(await this.service.ask(question, options), RECEIPT);
  }
}

function timeOf(time: string | Date | undefined): string | undefined {
  return time instanceof Date ? time.toISOString() : time;
}
