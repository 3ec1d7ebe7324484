import type { AssetType } from '@carbon/contracts';
import { Cursors } from '@carbon/http';
import { Metrics } from '@carbon/observability';
import { Injectable } from '@nestjs/common';
import { type Answer, type AnswerHeaders, answerOf } from '../answers/answer.js';
import { ResponseCache } from '../answers/response-cache.js';
import { searchMetrics } from '../catalog.metrics.js';
import { Refusal } from '../open-search/refusal.js';
import { type AssetPage, AssetSearch, assetPage, pageKey } from './asset-search.js';
import { linkToNext } from './next-page.js';
import { type AssetQuestion, type ReadQuestion, readQuestion } from './read-question.js';

/** Room for the pages of the last second, and as much again for answers made of them. */
const MOST_BYTES = 32 * 1024 * 1024;

/** Searches the pools or the projects of the library. */
@Injectable()
export class SearchAssets {
  private readonly numbers;
  /** By account and address as sent: to these, nothing needs to be read, asked or written anew. */
  private readonly answers = new ResponseCache<Answer>(MOST_BYTES);
  /** By what is searched for. */
  private readonly pages = new ResponseCache<AssetPage>(MOST_BYTES);

  constructor(
    private readonly search: AssetSearch,
    private readonly cursors: Cursors,
    metrics: Metrics,
  ) {
    this.numbers = metrics.of(searchMetrics);
  }

  /**
   * @param gone says that who asks has gone
   * @throws RequestError invalid_criteria, invalid_cursor, invalid_request, uri_too_long
   * @throws TransientError when the library cannot be searched now
   */
  async run(asked: AssetQuestion, gone: AbortSignal): Promise<Answer> {
    const key = `${asked.account} ${asked.address}`;
    const kept = this.answers.recall(key);
    if (kept !== undefined) {
      this.numbers.searches.inc({ type: asked.type, source: 'answer' });
      return kept;
    }
    const question = readQuestion(asked, this.cursors);
    const page = await this.page(asked.type, question, gone);
    const answer = answerOf(page.askedAt, page.body, this.headersOf(page, question));
    this.answers.keep(key, answer);
    return answer;
  }

  private async page(type: AssetType, question: ReadQuestion, gone: AbortSignal): Promise<AssetPage> {
    let source = 'page';
    const ask = async (askedAt: number, abandoned: AbortSignal) => {
      source = 'opensearch';
      return assetPage(askedAt, await this.search.page(type, question.wanted, abandoned), question);
    };
    try {
      const page = await this.pages.get(pageKey(type, question), ask, gone);
      this.numbers.searches.inc({ type, source });
      return page;
    } catch (error) {
      // What was compiled must be accepted: it is a bug of the compiler, and the canonical form shows where.
      if (!(error instanceof Refusal)) throw error;
      throw new Error(`OpenSearch refuses what the criteria were compiled to: ${question.canonical}`, { cause: error });
    }
  }

  private headersOf({ total, end }: AssetPage, question: ReadQuestion): AnswerHeaders {
    const count = { 'x-total-count': String(total) };
    if (end === undefined) return count;
    return { ...count, link: linkToNext(question, this.cursors.write(end, question.scope)) };
  }
}
