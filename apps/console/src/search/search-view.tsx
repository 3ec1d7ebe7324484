import { InvalidCriteriaError } from '@carbon/client';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useMemo, useRef, useState } from 'react';
import { CsvButton } from '../page/csv-button.js';
import { type Column, EndlessTable } from '../page/endless-table.js';
import { countText, dollarText, NONE, numberText, yearsText } from '../page/format.js';
import { addressOf, Link, ViewTitle } from '../page/location.js';
import { useSession } from '../session/session.js';
import { NothingFound } from './nothing-found.js';
import { type FoundAsset, searchAssets } from './search-assets.js';
import { SearchForm } from './search-form.js';
import { SnippetPanel } from './snippet-panel.js';
import { type SearchState, TABLE_FIELDS } from './snippets.js';
import { type SearchDraft, useSearchDraft } from './use-search-draft.js';

/** Loaded apart from the first view, which does without. */
const NarrowPanel = lazy(async () => ({ default: (await import('../narrow/narrow-panel.js')).NarrowPanel }));
/** As wide as the filters have a place beside the results. */
const WIDE = '(min-width: 64rem)';

/** Finds pools and projects. */
export function SearchView() {
  const { carbon } = useSession();
  const drafted = useSearchDraft();
  const { search } = drafted;
  const schema = useQuery({ queryKey: ['schema'], queryFn: () => carbon.assets.schema(), staleTime: 60_000 });
  const found = useInfiniteQuery({
    queryKey: ['search', search],
    queryFn: ({ pageParam: cursor, signal }) =>
      searchAssets(carbon, search, { fields: TABLE_FIELDS, limit: 50, cursor }, signal).page(),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ cursor }) => cursor,
    placeholderData: keepPreviousData,
  });
  const [showsFilters, setShowsFilters] = useState(() => matchMedia(WIDE).matches);
  const invalid = found.error instanceof InvalidCriteriaError ? found.error : undefined;
  return (
    <>
      <ViewTitle>Search the library</ViewTitle>
      <SearchForm drafted={drafted} schema={schema.data} errors={invalid?.errors} />
      <div className="found">
        <button
          type="button"
          className="toggle"
          aria-expanded={showsFilters}
          onClick={() => setShowsFilters(!showsFilters)}
        >
          {showsFilters ? 'Hide filters' : 'Show filters'}
        </button>
        {showsFilters && (
          <Suspense fallback={<div className="charts" />}>
            <NarrowPanel search={search} isOld={found.error !== null} />
          </Suspense>
        )}
        <Results drafted={drafted} found={useLastGood(found, invalid !== undefined)} isOld={invalid !== undefined} />
      </div>
      <Tools search={search} fields={schema.data?.[search.kind].fields.map(({ name }) => name) ?? []} />
    </>
  );
}

type Found = ReturnType<typeof useInfiniteQuery<Awaited<ReturnType<ReturnType<typeof searchAssets>['page']>>>>;

/** Keeps the last result in view while the criteria are being written. */
function useLastGood(found: Found, isInvalid: boolean): Found {
  const last = useRef<Found['data']>(undefined);
  if (found.data !== undefined) last.current = found.data;
  if (!isInvalid) return found;
  return { ...found, data: last.current, error: null, hasNextPage: false } as Found;
}

function Results({
  drafted,
  found,
  isOld,
}: {
  readonly drafted: SearchDraft;
  readonly found: Found;
  readonly isOld: boolean;
}) {
  const { search, submit } = drafted;
  const { scopes } = useSession();
  const canOffset = scopes?.has('offsets:write') ?? false;
  const columns = useMemo(() => columnsOf(canOffset), [canOffset]);
  const first = found.data?.pages[0];
  if (isOld && first === undefined) return null;
  const count = first === undefined ? '' : countText(first.total, search.kind);
  return (
    <section id="results" tabIndex={-1} className={isOld ? 'results old' : 'results'} aria-label="Results">
      <p role="status" className="count">
        {isOld
          ? `${count} of the last valid criteria`
          : found.isFetching && first === undefined
            ? 'Searching …'
            : count}
      </p>
      <EndlessTable
        caption={`Found ${search.kind}`}
        columns={columns}
        query={found}
        keyOf={({ id }) => id}
        sort={search.sort}
        onSort={(sort) => submit({ sort })}
        empty={<NothingFound drafted={drafted} hasHints={first?.hints !== undefined} />}
      />
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

function offsetLink({ id, name, price }: FoundAsset) {
  if (price === undefined) return NONE;
  return (
    <Link href={addressOf('offset', { asset: id })} aria-label={`Offset with ${name}`}>
      Offset
    </Link>
  );
}

function Tools({ search, fields }: { readonly search: SearchState; readonly fields: readonly string[] }) {
  const { carbon, key } = useSession();
  return (
    <section className="tools" aria-label="Use this search elsewhere">
      <CsvButton
        key={JSON.stringify(search)}
        file={`${search.kind}.csv`}
        columns={fields}
        pages={(signal) => searchAssets(carbon, search, { fields: ['*'], limit: 100 }, signal).pages()}
      />
      <SnippetPanel search={search} hasKey={key !== undefined} />
    </section>
  );
}
