import type { Listing, Page } from '@carbon/client';
import { type Column, EXIT } from '@carbon/terminal';
import type { ListFlags } from './arguments.js';
import type { ClientSession } from './session.js';

/** How a list is printed at a terminal. */
export interface ListView<Item> {
  readonly columns: readonly Column<Item>[];
  /** The lines of an item that has too much for a table. */
  readonly block?: ((item: Item) => readonly string[]) | undefined;
  /** The message for an empty list. */
  readonly none: string;
  /** Returns further lines for an empty list. */
  readonly explain?: (() => Promise<readonly string[]>) | undefined;
}

/** The most that the service puts on a page. */
const MAX_PAGE = 100;

/** Returns the size of the pages to request. */
export function pageSize({ limit, all }: ListFlags): number {
  return all ? MAX_PAGE : Math.min(limit, MAX_PAGE);
}

/** Prints a list page by page, up to its limit, and says when there is more. */
export async function printList<Item extends object>(
  { output, waitFor }: ClientSession,
  listing: Listing<Item, Page<Item> & { readonly total?: number }>,
  { limit, all }: ListFlags,
  view: ListView<Item>,
): Promise<number> {
  const table = output.newTable(view.columns);
  const max = all ? Number.POSITIVE_INFINITY : limit;
  const pages = listing.pages();
  let shown = 0;
  for (let page = await waitFor(pages.next()); !page.done; page = await waitFor(pages.next())) {
    const { cursor, total } = page.value;
    const items = page.value.items.slice(0, max - shown);
    shown += items.length;
    await output.items(items, () => (view.block ? items.flatMap(view.block) : table.lines(items)));
    const isMore = cursor !== undefined || items.length < page.value.items.length;
    if (shown >= max && isMore) {
      output.say(
        `${shown} shown ${total === undefined ? 'and there are more' : `of ${total}`}; --all shows every one.`,
      );
    }
    if (shown >= max || !isMore) break;
  }
  if (shown === 0) for (const line of [view.none, ...((await view.explain?.()) ?? [])]) output.say(line);
  if (table.omitted.length > 0) output.say(table.omission());
  return EXIT.done;
}
