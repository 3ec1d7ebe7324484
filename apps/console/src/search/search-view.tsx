import { InvalidCriteriaError } from '@carbon/client';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { CsvButton } from '../page/csv-button.js';
import { ErrorBoundary } from '../page/error-boundary.js';
import { ViewTitle } from '../page/location.js';
import { useSession } from '../session/session.js';
import { Results } from './results.js';
import { searchAssets } from './search-assets.js';
import { SearchForm } from './search-form.js';
import { SnippetPanel } from './snippet-panel.js';
import { type SearchState, TABLE_FIELDS } from './snippets.js';
import { useLastGood } from './use-last-good.js';
import { useSearchDraft } from './use-search-draft.js';

/** Loaded apart from the first view, which does without. */
const FilterPanel = lazy(async () => ({ default: (await import('../filters/filter-panel.js')).FilterPanel }));
/** As wide as the filters have a place beside the results. */
const WIDE = '(min-width: 64rem)';

/** Finds pools and projects. */
export function SearchView() {
  const { carbon } = useSession();
  const drafted = useSearchDraft();
  const { search } = drafted;
  const schema = useQuery({ queryKey: ['schema'], queryFn: () => carbon.assets.schema(), staleTime: 60_000 });
  const found = useFound(search);
  const [showsFilters, setShowsFilters] = useState(() => matchMedia(WIDE).matches);
  const invalid = found.error instanceof InvalidCriteriaError ? found.error : undefined;
  // The last result stays in view while the criteria are being written.
  const last = useLastGood(search.kind, found.data);
  const data = invalid === undefined ? found.data : last;
  const total = data?.pages[0]?.total;
  const isGood = found.isSuccess && !found.isPlaceholderData;
  const waiting = isGood ? <FiltersPlace /> : null;
  const hasFilters = total === undefined ? found.error === null : total > 0;
  return (
    <>
      <ViewTitle>Search the library</ViewTitle>
      <SearchForm drafted={drafted} errors={invalid?.errors} />
      <div className="found">
        {hasFilters && (
          <button
            type="button"
            className="toggle"
            aria-expanded={showsFilters}
            onClick={() => setShowsFilters(!showsFilters)}
          >
            {showsFilters ? 'Hide filters' : 'Show filters'}
          </button>
        )}
        {hasFilters && showsFilters && (
          <ErrorBoundary>
            <Suspense fallback={waiting}>
              <FilterPanel {...{ search, isGood, waiting }} isOld={found.error !== null && found.data === undefined} />
            </Suspense>
          </ErrorBoundary>
        )}
        <Results {...{ drafted, found, data }} isOld={invalid !== undefined} isWaiting={found.isPlaceholderData}>
          <Tools search={search} fields={schema.data?.[search.kind].fields.map(({ name }) => name) ?? []} />
        </Results>
      </div>
    </>
  );
}

/** The place of the filters that will come for a result, so that it stays where it is. */
function FiltersPlace() {
  return (
    <>
      <div className="charts waiting" />
      <div className="facets" />
    </>
  );
}

/** What a search finds, page by page. */
function useFound(search: SearchState) {
  const { carbon } = useSession();
  const { kind, criteria, text, sort } = search;
  return useInfiniteQuery({
    queryKey: ['search', kind, criteria, text, sort],
    queryFn: ({ pageParam: cursor, signal }) =>
      searchAssets(carbon, search, { fields: [...TABLE_FIELDS, 'active'], limit: 50, cursor }, signal).page(),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ cursor }) => cursor,
    placeholderData: (previous, query) => (query?.queryKey[1] === kind ? previous : undefined),
  });
}

function Tools({ search, fields }: { readonly search: SearchState; readonly fields: readonly string[] }) {
  const { carbon, key } = useSession();
  return (
    <>
      <CsvButton
        key={JSON.stringify(search)}
        file={`${search.kind}.csv`}
        columns={fields}
        pages={(signal) => searchAssets(carbon, search, { fields: ['*'], limit: 100 }, signal).pages()}
      />
      <SnippetPanel search={search} hasKey={key !== undefined} />
    </>
  );
}
