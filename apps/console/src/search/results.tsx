import type { SearchPage } from '@carbon/client';
import { type ReactNode, useMemo } from 'react';
import { type Column, type EndlessQuery, EndlessTable } from '../page/endless-table.js';
import { countText, dollarText, NONE, numberText, yearsText } from '../page/format.js';
import { addressOf, Link } from '../page/location.js';
import { useSession } from '../session/session.js';
import { NothingFound } from './nothing-found.js';
import type { FoundAsset } from './search-assets.js';
import type { SearchDraft } from './use-search-draft.js';

interface Props {
  readonly drafted: SearchDraft;
  readonly found: EndlessQuery<FoundAsset>;
  readonly data: { readonly pages: readonly SearchPage<FoundAsset>[] } | undefined;
  /** Whether the data are of the last valid criteria. */
  readonly isOld: boolean;
  /** Whether the data are of an earlier search. */
  readonly isWaiting: boolean;
  /** The tools for a result, shown above it. */
  readonly children: ReactNode;
}

/** What a search finds: how much, what can be done with it, and a table. */
export function Results({ drafted, found, data, isOld, isWaiting, children }: Props) {
  const { search, submit } = drafted;
  const { scopes } = useSession();
  const canOffset = scopes?.has('offsets:write') ?? false;
  const columns = useMemo(() => columnsOf(canOffset), [canOffset]);
  const first = data?.pages[0];
  const count = first === undefined ? '' : countText(first.total, search.kind);
  const waits = isWaiting || (found.isFetching && first === undefined);
  const old = first === undefined ? 'No result yet' : `${count} for the last valid criteria`;
  return (
    <section
      id="results"
      tabIndex={-1}
      className={isOld ? 'results old' : 'results'}
      aria-busy={isWaiting}
      aria-label="Results"
    >
      <div className="tools">
        <p role="status" className="count">
          {isOld ? old : waits ? 'Searching …' : count}
        </p>
        {!isOld && first !== undefined && first.total > 0 && children}
      </div>
      {!(isOld && first === undefined) && (
        <EndlessTable
          caption={search.kind === 'pools' ? 'Pools found' : 'Projects found'}
          columns={columns}
          query={isOld ? { ...found, data, error: null, hasNextPage: false } : found}
          keyOf={({ id }) => id}
          sort={search.sort}
          onSort={(sort) => submit({ sort })}
          empty={<NothingFound drafted={drafted} hasHints={first?.hints !== undefined} isOld={isOld || isWaiting} />}
        />
      )}
    </section>
  );
}

function columnsOf(canOffset: boolean): readonly Column<FoundAsset>[] {
  return [
    { name: 'name', title: 'Name', sortable: true, cell: ({ name }) => <b>{name}</b> },
    { name: 'id', title: 'Id', sortable: true, cell: ({ id }) => <code>{id}</code> },
    { name: 'price', title: 'Price / t', isNumber: true, sortable: true, cell: ({ price }) => dollarText(price) },
    { name: 'vintages', title: 'Vintages', cell: ({ vintages = [] }) => yearsText(vintages) },
    { name: 'rating', title: 'Rating', isNumber: true, sortable: true, cell: ({ rating }) => numberText(rating) },
    ...(canOffset ? [{ name: 'offset', title: 'Action', cell: offsetLink }] : []),
  ];
}

function offsetLink({ id, name, price, active }: FoundAsset) {
  if (price === undefined || active !== true) return NONE;
  return (
    <Link href={addressOf('offset', { asset: id })} aria-label={`Offset with ${name}`}>
      Offset
    </Link>
  );
}
