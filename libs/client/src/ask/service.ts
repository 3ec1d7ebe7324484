import { unexpected } from '../errors/read-problem.js';
import { nextQuery } from '../listing/next-link.js';
import { type CallOptions, type Patience, patienceOf } from '../options.js';
import { ask } from './ask.js';
import { type Question, queryText, refuseNoNumbers } from './question.js';
import type { Reply } from './reply.js';
import type { Line } from './send.js';

/** The way to the service that all operations of one client share. */
export class Service {
  constructor(
    private readonly line: Line,
    private readonly patience: Patience,
  ) {}

  /** Asks, and again where that may help. @throws CarbonError, RangeError for what cannot be sent, the signal's reason */
  async ask(question: Question, options: CallOptions = {}): Promise<Reply> {
    refuseNoNumbers(question);
    return await ask(this.line, question, { ...patienceOf(options, this.patience), signal: options.signal });
  }

  /** The query of the page behind an answer. @throws UnexpectedAnswerError when its link leads elsewhere */
  next({ path, query }: Question, reply: Reply): string | undefined {
    try {
      return nextQuery(reply.headers.get('link'), this.line.baseUrl + path + queryText(query));
    } catch (error) {
      throw unexpected(reply, error instanceof RangeError ? `is no page: ${error.message}` : undefined);
    }
  }
}
