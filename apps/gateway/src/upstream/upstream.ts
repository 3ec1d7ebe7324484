import { INTERNAL_SECRET, TransientError } from '@carbon/http';
import { Logger } from '@nestjs/common';
import { type CircuitBreakerPolicy, CircuitState, ConsecutiveBreaker, circuitBreaker, handleWhen } from 'cockatiel';
import { Pool } from 'undici';
import { GivenUp, Patience } from './patience.js';
import type { QuestionHeaders } from './question-headers.js';
import { trusted, UntrustedAnswer, type UpstreamAnswer } from './trusted-answer.js';
import { Turns } from './turns.js';
import type { UpstreamNumbers } from './upstream-numbers.js';

/** Where another app answers, how it knows us, and how long it may take. */
export interface UpstreamPlace {
  /** Scheme, host and port. */
  readonly url: string;
  /** What the gateway proves itself with: the first of `INTERNAL_SECRETS`. */
  readonly secret: string;
  /** Milliseconds from the question to the last byte of the answer; half of them may pass before it is asked. */
  readonly timeoutMs: number;
}

/** Another app, and how it is asked. */
export interface UpstreamSettings extends UpstreamPlace {
  /** As clients know it: "offsets service". */
  readonly name: string;
  /** Questions asked at a time, each on a connection of its own; 64 unless given. */
  readonly connections?: number;
  /** Where the questions are counted. */
  readonly numbers?: UpstreamNumbers | undefined;
}

const CONNECTIONS = 64;
/** Questions waiting to be asked; past it they are refused at once, so that a slow neighbour cannot fill our memory. */
const WAITING = 1_000;
/**
 * The largest page: 100 assets with descriptions of 10,000 characters of four bytes, with room to spare. A page of offsets
 * is ended early by the offsets service, at a number of lines that is far from it.
 */
const ANSWER_BYTES = 8 * 1024 * 1024;
/** The head of an answer: a link to the next page is as long as an address may be, which is more than undici takes. */
const HEAD_BYTES = 64 * 1024;
const CONNECT_MS = 1_000;
/** Shorter than the 65 s for which our apps keep an idle connection, so that we close first. */
const KEEP_ALIVE_MS = 30_000;
const FAILURES_TO_OPEN = 5;
const OPEN_MS = 1_000;
const PROBE_MS = 500;

/** What a connection that was closed while the question was on its way fails with: it was not answered, so ask again. */
const STALE = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

/**
 * An answer whose head or body is too long says nothing of whether the other lives: it answered, and one question alone
 * must not shut the way for all.
 */
const TOO_LONG = new Set(['UND_ERR_HEADERS_OVERFLOW', 'UND_ERR_RES_EXCEEDED_MAX_SIZE']);

interface Question {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: QuestionHeaders;
  readonly body?: string;
  readonly patience: Patience;
}

/**
 * Questions to another app over kept-alive connections: with a deadline, bounded in number and size, and behind a breaker
 * that answers at once while the other is away. Only what may be asked twice is asked here.
 */
export abstract class Upstream {
  private readonly logger = new Logger('upstream');
  private readonly pool: Pool;
  private readonly breaker: CircuitBreakerPolicy;
  private readonly turns: Turns;

  constructor(private readonly settings: UpstreamSettings) {
    const { connections = CONNECTIONS, timeoutMs } = settings;
    this.turns = new Turns(connections, WAITING, timeoutMs / 2);
    this.pool = new Pool(settings.url, {
      connections,
      pipelining: 1,
      connect: { timeout: CONNECT_MS },
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: KEEP_ALIVE_MS,
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
      maxHeaderSize: HEAD_BYTES,
      maxResponseSize: ANSWER_BYTES,
    });
    this.breaker = circuitBreaker(
      handleWhen((error) => !(error instanceof GivenUp) && !TOO_LONG.has(codeOf(error))),
      { halfOpenAfter: OPEN_MS, breaker: new ConsecutiveBreaker(FAILURES_TO_OPEN) },
    );
    settings.numbers?.open(() => this.breaker.state !== CircuitState.Closed);
    this.breaker.onFailure(({ reason }) => this.report('error' in reason ? reason.error : undefined));
  }

  /**
   * The answer to `GET path`, good or bad, when it is one of ours.
   * @param gone says that nobody waits for the answer any more: then it is not asked for, or given up
   * @throws TransientError `service_unavailable`: away, too slow, given up, or what came cannot be trusted
   */
  async get(path: string, headers: QuestionHeaders, gone?: AbortSignal): Promise<UpstreamAnswer> {
    return await this.inTurn({ method: 'GET', path, headers }, gone);
  }

  /**
   * The answer to a POST of JSON, good (201) or bad, when it is one of ours. It must be one that makes the same thing when
   * it is asked twice.
   * @throws TransientError `service_unavailable`: as above; it may have been done all the same
   */
  async post(path: string, headers: QuestionHeaders, body: object): Promise<UpstreamAnswer> {
    const json = { ...headers, 'content-type': 'application/json' };
    return await this.inTurn({ method: 'POST', path, headers: json, body: JSON.stringify(body) });
  }

  /** Asks whether it lives, whatever the breaker thinks; for health. Rejects when it does not say so. */
  async probe(): Promise<void> {
    const signal = AbortSignal.timeout(PROBE_MS);
    const { statusCode, body } = await this.pool.request({ method: 'GET', path: '/health/live', signal });
    await body.dump();
    if (statusCode !== 200) throw new UntrustedAnswer(`answered ${statusCode} when asked whether it lives`);
  }

  async close(): Promise<void> {
    await this.pool.destroy();
  }

  private async inTurn(question: Omit<Question, 'patience'>, gone?: AbortSignal): Promise<UpstreamAnswer> {
    const patience = new Patience(this.settings.timeoutMs);
    const begun = performance.now();
    try {
      // The breaker hears only of what was asked: that we are busy says nothing about the other.
      const account = question.headers['x-account'];
      const answer = await this.turns.run(account, () => this.unlessGone({ ...question, patience }, gone));
      this.settings.numbers?.asked(begun);
      return answer;
    } catch (cause) {
      this.settings.numbers?.asked(begun, cause);
      throw this.away(cause);
    } finally {
      patience.close();
    }
  }

  private async unlessGone(question: Question, gone: AbortSignal | undefined): Promise<UpstreamAnswer> {
    gone?.throwIfAborted();
    question.patience.asks();
    // The question by which the breaker finds out whether the other is back is asked to the end.
    if (gone !== undefined && this.breaker.state === CircuitState.Closed) question.patience.endsWith(gone);
    return await this.breaker.execute(() => this.ask(question));
  }

  private async ask(question: Question): Promise<UpstreamAnswer> {
    try {
      return await this.askOnce(question);
    } catch (error) {
      if (question.patience.signal.aborted || !STALE.has(codeOf(error))) throw error;
      return await this.askOnce(question);
    }
  }

  private async askOnce({ patience, ...question }: Question): Promise<UpstreamAnswer> {
    const headers = { ...question.headers, [INTERNAL_SECRET]: this.settings.secret };
    const answer = await this.pool.request({ ...question, headers, signal: patience.signal });
    const body = Buffer.from(await answer.body.arrayBuffer());
    const conditional = question.headers['if-none-match'] !== undefined;
    const success = question.method === 'POST' ? 201 : 200;
    return trusted({ status: answer.statusCode, headers: answer.headers, body }, conditional, success);
  }

  private report(error: unknown): void {
    if (error instanceof GivenUp) return;
    this.logger.warn('A question was not answered', error, { dependency: this.settings.name });
  }

  private away(cause: unknown): TransientError {
    const detail = `The ${this.settings.name} does not answer for the moment. Try again shortly.`;
    return new TransientError('service_unavailable', detail, { cause });
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
