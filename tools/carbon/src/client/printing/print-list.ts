import type { Listing, Page } from '@carbon/client';
import { type Column, noRoomFor, Table } from '@carbon/terminal';
import type { Means } from '../means.js';

/** How many of a list are wanted: as many, or every one. */
export interface Wanted {
  readonly limit: number;
  readonly all?: boolean;
}

/** How a list looks to a person. */
export interface ListView<Item> {
  readonly columns: readonly Column<Item>[];
  /** Its items as blocks of lines, where they have too much for a table. */
  readonly block?: ((item: Item) => readonly string[]) | undefined;
  /** Said when there is none. */
  readonly none: string;
}

/** As many as the service puts on a page. */
const LARGEST_PAGE = 100;

/** The size of page to ask for. */
export function pageSize({ limit, all }: Wanted): number {
  return all ? LARGEST_PAGE : Math.min(limit, LARGEST_PAGE);
}

/** Prints a list page by page, no more of it than is wanted, and says when there is more. */
export async function printList<Item extends object>(
  means: Means,
  listing: Listing<Item, Page<Item> & { readonly total?: number }>,
  wanted: Wanted,
  view: ListView<Item>,
): Promise<number> {
  const { printer, screen } = means;
  const table = new Table(view.columns, printer.width, (line) => printer.paint('bold', line));
  const most = wanted.all ? Number.POSITIVE_INFINITY : wanted.limit;
  const pages = listing.pages();
  let shown = 0;
  for (let turn = await means.answered(pages.next()); !turn.done; turn = await means.answered(pages.next())) {
    const { cursor, total } = turn.value;
    const items = turn.value.items.slice(0, most - shown);
    shown += items.length;
    await printer.some(items, () => (view.block ? items.flatMap(view.block) : table.lines(items)));
    const isMore = cursor !== undefined || items.length < turn.value.items.length;
    if (shown >= most && isMore)
      screen.say(
        `${shown} shown ${total === undefined ? 'and there are more' : `of ${total}`}; --all shows every one.`,
      );
    if (shown >= most || !isMore) break;
  }
  if (shown === 0) screen.say(view.none);
  if (table.omitted.length > 0) screen.say(noRoomFor(table.omitted));
  return 0;
}
