import type { Question } from '../ask/question.js';
import type { Reply } from '../ask/reply.js';
import type { Service } from '../ask/service.js';
import { unexpected } from '../errors/read-problem.js';
import { Listing, type Turned } from '../listing/listing.js';
import { cursorOf } from '../listing/next-link.js';
import type { SearchPage } from '../listing/page.js';
import type { CallOptions } from '../options.js';
import { readArray } from '../shape.js';
import type { Asset, AssetKind, Shown, ShownFirst } from '../types.js';
import type { SearchQuery } from './search-query.js';

/** The search of one kind of asset. */
export class Search<Of extends AssetKind> {
  constructor(
    private readonly service: Service,
    private readonly kind: Of,
  ) {}

  /** The assets that match, each once. */
  search<Show extends Shown<Of> = ShownFirst<Of>>(
    query: SearchQuery<Of, Show> = {},
    options?: CallOptions,
  ): Listing<Asset<Of, Show>, SearchPage<Asset<Of, Show>>> {
    return new Listing(async (next) => {
      const question = this.question(query, next);
      return this.turned<Show>(question, await this.service.ask(question, options));
    });
  }

  /** The first page, unless it is still the one with this `etag`: then undefined. */
  async pageIfChanged<Show extends Shown<Of> = ShownFirst<Of>>(
    query: SearchQuery<Of, Show>,
    etag: string,
    options?: CallOptions,
  ): Promise<SearchPage<Asset<Of, Show>> | undefined> {
    const question = { ...this.question(query), headers: { 'if-none-match': etag }, expects: [200, 304] };
    const reply = await this.service.ask(question, options);
    return reply.status === 304 ? undefined : this.turned<Show>(question, reply).page;
  }

  private question(query: SearchQuery<Of, Shown<Of>>, next?: string): Question {
    const { criteria = '', text = '', sort, fields, limit, cursor } = query;
    const first = {
      criteria: String(criteria),
      fullTextSearch: text,
      sort: namesOf(sort === undefined ? [] : [sort].flat()),
      fields: namesOf(fields),
      limit,
      cursor,
    };
    return { method: 'GET', path: `/v1/assets/${this.kind}`, query: next ?? first, expects: [200] };
  }

  private turned<Show extends Shown<Of>>(question: Question, reply: Reply): Turned<SearchPage<Asset<Of, Show>>> {
    const next = this.service.next(question, reply);
    const items = readArray<Asset<Of, Show>>(reply, {});
    const etag = reply.headers.get('etag') ?? undefined;
    return { page: { items, cursor: cursorOf(next), total: totalOf(reply), etag }, next };
  }
}

/** Of none, nothing is sent: an empty parameter would be refused. */
function namesOf(names: readonly unknown[] = []): string | undefined {
  return names.length === 0 ? undefined : names.join(',');
}

function totalOf(reply: Reply): number {
  const total = reply.headers.get('x-total-count') ?? '';
  if (!/^\d{1,15}$/.test(total)) throw unexpected(reply, 'does not say how many match');
  return Number(total);
}
