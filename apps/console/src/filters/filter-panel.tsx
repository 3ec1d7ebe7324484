import type { Facet } from '@carbon/client';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Problem } from '../page/problem.js';
import type { SearchState } from '../search/snippets.js';
import { useLastGood } from '../search/use-last-good.js';
import { useSession } from '../session/session.js';
import { CountryMap } from './country-map.js';
import { FacetList } from './facet-list.js';
import { Histogram } from './histogram.js';
import { partsOf } from './parts.js';
import './filters.css';

/** The fields whose values are listed at once; the others are opened by their titles. */
const OPEN: ReadonlySet<string> = new Set(['country', 'categories', 'source', 'rating']);
/** The fields that are drawn, and not listed. */
const DRAWN: ReadonlySet<string> = new Set(['vintages', 'price']);

interface Props {
  readonly search: SearchState;
  /** Whether the search has been answered, so that its criteria are valid. */
  readonly isGood: boolean;
  /** Whether the search has failed: what is shown is of an earlier one, and cannot be used. */
  readonly isOld: boolean;
  /** Shown until there are filters. */
  readonly waiting: ReactNode;
}

/** Narrows a search by what its assets have: histograms of vintages and prices, a map, and a list for each field. */
export function FilterPanel({ search, isGood, isOld, waiting }: Props) {
  const { carbon } = useSession();
  const { kind, criteria, text } = search;
  const counted = useQuery({
    queryKey: ['facets', kind, criteria, text],
    queryFn: ({ signal }) => carbon[kind].facets({ criteria, text }, { signal }),
    // Not those of the other kind: their clauses may name fields that this one lacks.
    placeholderData: (previous, query) => (query?.queryKey[1] === kind ? previous : undefined),
    enabled: isGood,
  });
  const data = useLastGood(kind, counted.data);
  if (counted.error !== null && isGood) return <Problem error={counted.error} retry={counted.refetch} />;
  if (data === undefined) return waiting;
  const facets = data.facets.filter((facet) => partsOf(facet).length > 0);
  const named = (name: string) => facets.find(({ field }) => field === name);
  const [country, vintages, price] = ['country', 'vintages', 'price'].map(named);
  const listed = facets.filter(({ field }) => field !== 'country' && !DRAWN.has(field));
  return (
    <>
      {isOld && <p className="note">The filters wait for valid criteria.</p>}
      <div className="charts" inert={isOld}>
        {hasBars(vintages) && <Histogram title="Vintages" search={search} facet={vintages} />}
        {hasBars(price) && <Histogram title="Price per tonne, from $" search={search} facet={price} />}
      </div>
      {facets.length > 0 && (
        <aside className="facets" aria-label="Narrow the search" inert={isOld}>
          <a className="skip" href="#results">
            Skip to the results
          </a>
          {country && (
            <FacetList search={search} facet={country} isOpen>
              <CountryMap search={search} values={country.values ?? []} />
            </FacetList>
          )}
          {listed.map((facet) => (
            <FacetList key={facet.field} search={search} facet={facet} isOpen={OPEN.has(facet.field)} />
          ))}
        </aside>
      )}
    </>
  );
}

/** Whether a chart says more than that no asset has the field. */
function hasBars(facet: Facet | undefined): facet is Facet {
  return (facet?.values ?? facet?.ranges ?? []).length > 0;
}
