import { CarbonError, TimedOutError } from './errors.js';
import { ACCEPTED_OFFSET, OFFSET, QUEUED_OFFSET, RECEIPT } from './generated/shapes.js';
import { cursorOf, Listing } from './listing.js';
import type { CallOptions } from './options.js';
import { idempotencyKey } from './request.js';
import { isRecord, jsonOf, readArray, readObject, type Shape, unexpected } from './response.js';
import { type ApiResponse, pause } from './send.js';
import { isTransient, type Transport } from './transport.js';
import type {
  AcceptedOffset,
  CompletedOffset,
  FailedOffset,
  NewOffset,
  Offset,
  OffsetFilter,
  QueuedOffset,
  Receipt,
} from './types.js';

const PATH = '/v1/offsets';
/** The message of a 202, with the id. */
const ACCEPTED = /^Offset event with ID: (\S+) queued for processing\.$/;

/** The options of `create`. */
export interface CreateOptions extends CallOptions {
  /**
   * Your key for this request, 1 to 255 visible ASCII characters: a key creates one offset, also when your program restarts
   * between two tries. Random for each call by default.
   */
  readonly idempotencyKey?: string | undefined;
}

/** Offsets: a weight of emissions, and the credits retired against it. */
export class Offsets {
  constructor(private readonly transport: Transport) {}

  /**
   * Creates an offset. It is durable when this resolves and processed later: see {@link waitFor}. Sent with an idempotency
   * key, so that retries create no second offset. A replay also reads the offset, which may have failed meanwhile.
   *
   * @throws CarbonError with `retryKey`, the key for a retry, when the outcome is unknown
   */
  async create(offset: NewOffset, { idempotencyKey: given, ...options }: CreateOptions = {}): Promise<AcceptedOffset> {
    const key = idempotencyKey(given);
    const end = performance.now() + this.transport.limitsOf(options).timeoutMs;
    const request = { method: 'POST', path: PATH, body: offset, idempotencyKey: key, expectedStatuses: [202] } as const;
    const response = await this.transport.send(request, options);
    const { message } = readObject<{ readonly message: string }>(response, ACCEPTED_OFFSET);
    const id = ACCEPTED.exec(message)?.[1];
    if (id === undefined) throw unexpected(response, 'contains no id');
    const accepted = { id, message, idempotencyKey: key };
    if (response.headers.get('idempotency-replayed') !== 'true') return { ...accepted, replayed: false };
    // The read shares the time of the call.
    const timeoutMs = Math.max(1, Math.ceil(end - performance.now()));
    const failure = await this.failureOf(id, { ...options, timeoutMs });
    return { ...accepted, replayed: true, ...(failure && { failure }) };
  }

  /** Returns undefined also when the offset cannot be read: it is accepted, whatever a read says. */
  private async failureOf(id: string, options: CallOptions): Promise<FailedOffset['failure'] | undefined> {
    try {
      const offset = await this.get(id, options);
      return 'failure' in offset ? offset.failure : undefined;
    } catch (error) {
      if (error instanceof CarbonError) return undefined;
      throw error;
    }
  }

  /** Returns an offset. One just accepted may not be recorded yet: it has only id and status. */
  async get(id: string, options?: CallOptions): Promise<Offset | QueuedOffset> {
    return offsetOf(
      await this.transport.send({ method: 'GET', path: PATH, query: { id }, expectedStatuses: [200] }, options),
    );
  }

  /** Lists the recorded offsets of the account, newest first. */
  list(filter: OffsetFilter = {}, options?: CallOptions): Listing<Offset> {
    const { createdFrom, createdTo, ...rest } = filter;
    const first = { ...rest, createdFrom: timeOf(createdFrom), createdTo: timeOf(createdTo) };
    return new Listing(async (query) => {
      const request = { method: 'GET', path: PATH, query: query ?? first, expectedStatuses: [200] } as const;
      const response = await this.transport.send(request, options);
      const next = this.transport.nextQuery(request, response);
      return { page: { items: readArray<Offset>(response, OFFSET), cursor: cursorOf(next) }, next };
    });
  }

  /** Waits until an offset is `completed` or `failed`. @throws TimedOutError, whose cause is the last read if that failed */
  async waitFor(id: string, options?: WaitOptions): Promise<CompletedOffset | FailedOffset> {
    return await waitForEnd((limits) => this.get(id, limits), id, options);
  }

  /** Returns the ledger entries of an offset with their hashes; none until it is completed. */
  async receipt(id: string, options?: CallOptions): Promise<Receipt> {
    const request = { method: 'GET', path: '/v1/retirements', query: { offset: id }, expectedStatuses: [200] } as const;
    return readObject<Receipt>(await this.transport.send(request, options), RECEIPT);
  }
}

function timeOf(time: string | Date | undefined): string | undefined {
  return time instanceof Date ? time.toISOString() : time;
}

const COMPLETED: Shape = { ...OFFSET, cost: 'number', currency: ['USD'], completedAt: 'string' };
const FAILED: Shape = { ...OFFSET, failure: { code: 'string', detail: 'string' }, failedAt: 'string' };

/** The offset in a response, with the members of its status. @throws UnexpectedAnswerError */
function offsetOf(response: ApiResponse): Offset | QueuedOffset {
  const body = jsonOf(response);
  if (!isRecord(body) || !('kgCO2e' in body)) return readObject<QueuedOffset>(response, QUEUED_OFFSET);
  if (body.status === 'completed') return readObject<CompletedOffset>(response, COMPLETED);
  return readObject<Offset>(response, body.status === 'failed' ? FAILED : OFFSET);
}

function hasEnded(offset: Offset | QueuedOffset): offset is CompletedOffset | FailedOffset {
  return offset.status === 'completed' || offset.status === 'failed';
}

/** The options of `waitFor`. */
export interface WaitOptions {
  readonly signal?: AbortSignal | undefined;
  /** The total timeout in ms, default 60,000. */
  readonly timeoutMs?: number | undefined;
}

const WAIT_TIMEOUT_MS = 60_000;
const FIRST_POLL_MS = 100;
const MAX_POLL_MS = 2_000;
const POLL_BACKOFF = 1.5;
/** With less time left, another read makes no sense. */
const MIN_POLL_MS = 50;

/**
 * Polls an offset until it has ended, at first ten times a second, at last every two seconds. Transient errors do not end the
 * wait, because the service continues without us.
 */
async function waitForEnd(
  read: (options: CallOptions) => Promise<Offset | QueuedOffset>,
  id: string,
  { signal, timeoutMs = WAIT_TIMEOUT_MS }: WaitOptions = {},
): Promise<CompletedOffset | FailedOffset> {
  const end = performance.now() + timeoutMs;
  let [status, cause]: [string | undefined, unknown] = [undefined, undefined];
  for (let wait = FIRST_POLL_MS; ; wait = Math.min(MAX_POLL_MS, wait * POLL_BACKOFF)) {
    let leastMs = 0;
    try {
      const offset = await read({ signal, timeoutMs: Math.max(1, Math.ceil(end - performance.now())) });
      if (hasEnded(offset)) return offset;
      [status, cause] = [offset.status, undefined];
    } catch (error) {
      if (!(error instanceof CarbonError) || !isTransient(error)) throw error;
      leastMs = (error.retryAfter ?? 0) * 1_000;
      // A later read that is cut by the end of the wait has not failed.
      const isCut = error instanceof TimedOutError && end - performance.now() < MIN_POLL_MS;
      if (status === undefined || !isCut) cause = error;
    }
    const left = end - performance.now();
    if (left < MIN_POLL_MS || left <= leastMs) {
      const waited = left < MIN_POLL_MS ? timeoutMs : Math.round(timeoutMs - left);
      throw new TimedOutError(`${id} had not ended after ${waited} ms; it was ${status ?? 'never read'}`, { cause });
    }
    await pause(Math.max(leastMs, Math.min(wait, left / 2)), signal);
  }
}
