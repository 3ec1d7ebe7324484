import type { Page } from './page.js';

/** A page, and the query of the one behind it. */
export interface Turned<P> {
  readonly page: P;
  readonly next: string | undefined;
}

/** Reads one page: the first without a query, any other by the query of the page before. */
export type TurnPage<P> = (query: string | undefined) => Promise<Turned<P>>;

/**
 * A list that is asked for page by page, and not before it is walked: `for await` goes over every item, `pages()` over
 * the pages, and `page()` reads the first. Each walk begins anew.
 */
export class Listing<Item, P extends Page<Item> = Page<Item>> implements AsyncIterable<Item> {
  constructor(private readonly turn: TurnPage<P>) {}

  /** The first page alone. */
  async page(): Promise<P> {
    return (await this.turn(undefined)).page;
  }

  /** Every page. The next is asked for when it is wanted. */
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
