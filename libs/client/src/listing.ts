/** One page of a list. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** The `cursor` of the next page; undefined on the last page. */
  readonly cursor: string | undefined;
}

/** One page of a search. */
export interface SearchPage<Item> extends Page<Item> {
  /** The number of matches. */
  readonly total: number;
  /** The entity tag of the response, for `pageIfChanged`. */
  readonly etag: string | undefined;
  /** The URL of what `hints` returns; only if nothing matches. */
  readonly hints: string | undefined;
}

/** A page, and the query of the next. */
export interface Turned<P> {
  readonly page: P;
  readonly next: string | undefined;
}

/** Reads the page of a query; the first page without one. */
export type TurnPage<P> = (query: string | undefined) => Promise<Turned<P>>;

/**
 * A list that is requested page by page while it is iterated: `for await` iterates over every item, `pages()` over the pages,
 * and `page()` reads the first. Each iteration starts from the beginning.
 */
export class Listing<Item, P extends Page<Item> = Page<Item>> implements AsyncIterable<Item> {
  constructor(private readonly turn: TurnPage<P>) {}

  /** Returns the first page. */
  async page(): Promise<P> {
    return (await this.turn(undefined)).page;
  }

  /** Iterates over the pages, each requested on demand. */
  async *pages(): AsyncGenerator<P, void, undefined> {
    let query: string | undefined;
    do {
      const { page, next } = await this.turn(query);
      yield page;
      query = next;
    } while (query !== undefined);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const { items } of this.pages()) yield* items;
  }
}

/** One parameter of a link: its name, and its value with or without quotes. */
const PARAMETER = /\s*;\s*([\w!#$%&'*+.^`|~-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s",;]+))/g;
/** One link of a `Link` header (RFC 8288): its target and its parameters. */
const LINK = new RegExp(`<([^<>]*)>((?:${PARAMETER.source})*)`, 'g');

/**
 * Returns the query of the next page with its `?`; undefined on the last page. Only the query of the link is used.
 *
 * @throws RangeError when the link leads to another path or service
 */
export function nextQuery(link: string | null, requested: string): string | undefined {
  const target = [...(link ?? '').matchAll(LINK)].find(([, , parameters]) => isNext(parameters))?.[1];
  if (target === undefined) return undefined;
  const here = new URL(requested);
  const next = URL.canParse(target, here.href) ? new URL(target, here) : undefined;
  const isElsewhere = next === undefined || next.origin !== here.origin || !here.pathname.endsWith(next.pathname);
  if (isElsewhere) throw new RangeError('the link to the next page leads to another path or service');
  if (next.search === here.search) throw new RangeError('the link to the next page leads to the same page');
  return next.search;
}

/** Whether `next` is a relation of the link; of several `rel` the first counts. */
function isNext(parameters = ''): boolean {
  const relation = [...parameters.matchAll(PARAMETER)].find(([, name = '']) => name.toLowerCase() === 'rel');
  const [, , quoted, plain = ''] = relation ?? [];
  return (quoted ?? plain).toLowerCase().split(/\s+/).includes('next');
}

/** Returns the cursor of such a query. */
export function cursorOf(next: string | undefined): string | undefined {
  return next === undefined ? undefined : (new URLSearchParams(next).get('cursor') ?? undefined);
}
