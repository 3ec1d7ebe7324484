import type { AssetType } from '@carbon/contracts';
import type { LibraryIndex } from '../indexing/library-index.js';
import { askTwice, searchTimeMs } from '../open-search/ask-twice.js';
import type { OpenSearch } from '../open-search/open-search.js';
import { faultOfBody, notYetIndexed, Outage } from '../open-search/refusal.js';
import { creationAnswer, type Figures, type FiguresOrFailure, figuresAnswer } from './figures-answer.js';
import { figuresRequest } from './figures-request.js';

/** The figures of one type of asset, and when its index was made, in ms since 1970. */
export interface KindFigures {
  readonly figures: Figures;
  readonly madeAt: number;
}

type ByType<T> = Readonly<Record<AssetType, T>>;

/** Asks OpenSearch what stands in the library. */
export class LibraryFigures {
  private readonly aliases: ByType<string>;

  /** @param deadlineMs for the whole of it, one more attempt included */
  constructor(
    private readonly openSearch: OpenSearch,
    library: LibraryIndex,
    private readonly deadlineMs: number,
  ) {
    this.aliases = { POOL: library.aliasOf('POOL'), PROJECT: library.aliasOf('PROJECT') };
  }

  /** @param signal says that nobody waits for them any more @throws Outage when there is no answer in time */
  count(signal: AbortSignal): Promise<ByType<KindFigures>> {
    return askTwice({ deadlineMs: this.deadlineMs, signal }, (leftMs) =>
      this.once(leftMs, signal).catch(notYetIndexed),
    );
  }

  private async once(leftMs: number, signal: AbortSignal): Promise<ByType<KindFigures>> {
    const end = performance.now() + leftMs;
    const lines = this.question('POOL', leftMs) + this.question('PROJECT', leftMs);
    const ask = { method: 'POST', path: '/_msearch', lines, signal } as const;
    const { responses } = await this.openSearch.ask(ask, figuresAnswer, leftMs);
    const [pools, projects] = [wholeOf(responses[0]), wholeOf(responses[1])];
    const madeAt = await this.madeAt([pools, projects], end - performance.now(), signal);
    return { POOL: { figures: pools, madeAt }, PROJECT: { figures: projects, madeAt } };
  }

  private question(type: AssetType, leftMs: number): string {
    const where = { index: this.aliases[type], allow_partial_search_results: false };
    return `${JSON.stringify(where)}\n${JSON.stringify(figuresRequest(type, searchTimeMs(leftMs)))}\n`;
  }

  /** When the live indices were made; both are made together. Only an empty one needs to be known. */
  private async madeAt(kinds: readonly Figures[], leftMs: number, signal: AbortSignal): Promise<number> {
    if (kinds.every(({ hits }) => hits.total.value > 0)) return 0;
    const path = `/${Object.values(this.aliases).join()}/_settings/index.creation_date`;
    const indices = await this.openSearch.ask({ method: 'GET', path, signal }, creationAnswer, Math.max(1, leftMs));
    return Math.max(...Object.values(indices).map(({ settings }) => settings.index.creation_date));
  }
}

function wholeOf(answer: FiguresOrFailure): Figures {
  if (!('hits' in answer)) throw faultOfBody(answer.status, answer);
  if (answer.timed_out || answer._shards.failed > 0) throw new Outage(false, new Error('a partial answer'));
  return answer;
}
