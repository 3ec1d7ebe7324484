import { world as drawn } from 'virtual:world';
import type { Facet } from '@carbon/client';
import type { SearchState } from '../search/snippets.js';
import { PartLink } from './part-link.js';
import { codeOf, type Place, type World } from './world.js';

const world = drawn as World;

/** The shades of the map, from few assets to many. */
const SHADES = 4;

type Value = NonNullable<Facet['values']>[number];

/**
 * The world, its countries darker the more assets they have; each is a link that narrows the search to it. For a mouse only:
 * the list below it has the same links.
 */
export function CountryMap({ search, values }: { readonly search: SearchState; readonly values: readonly Value[] }) {
  const found = new Map(values.map((value) => [codeOf(world, String(value.value)), value]));
  const most = Math.max(1, ...values.map(({ count }) => count));
  return (
    <svg className="map" viewBox={`0 0 ${world.width} ${world.height}`} aria-hidden="true">
      {world.places.map((place, n) => {
        const value = place.code === undefined ? undefined : found.get(place.code);
        // biome-ignore lint/suspicious/noArrayIndexKey: the map never changes, and some areas have no code
        if (value === undefined) return <Shape key={n} place={place} />;
        const { clause, count } = value;
        const shade = Math.ceil((SHADES * Math.log1p(count)) / Math.log1p(most));
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: as above
          <PartLink key={n} search={search} clause={clause} tabIndex={-1} className={`shade-${shade}`}>
            <Shape place={place} />
            <title>{`${value.value}: ${count}`}</title>
          </PartLink>
        );
      })}
    </svg>
  );
}

/** Only countries with assets are shown as points: the others would cover the map. */
function Shape({ place: { path, point } }: { readonly place: Place }) {
  if (path !== undefined) return <path d={path} />;
  return point === undefined ? null : <circle cx={point[0]} cy={point[1]} r={4} />;
}
