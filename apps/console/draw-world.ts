import { createRequire } from 'node:module';
import { geoCentroid, geoEqualEarth, geoPath } from 'd3-geo';
import countries from 'i18n-iso-countries';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import type { Plugin } from 'vite';
import type { Place, World } from './src/filters/world.js';

const require = createRequire(import.meta.url);
const WIDTH = 480;
const ANTARCTICA = '010';
/** Names that the registries use and `i18n-iso-countries` does not have. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  'viet nam': 'VN',
  'congo, the democratic republic of the': 'CD',
};

type Atlas = Topology<{ readonly countries: GeometryCollection<{ readonly name: string }> }>;

/** Reads the countries of a map of `world-atlas` (Natural Earth); `id` is the numeric ISO 3166 code. */
function countriesOf(scale: '50m' | '110m') {
  const atlas: Atlas = require(`world-atlas/countries-${scale}.json`);
  return feature(atlas, atlas.objects.countries).features.filter(({ id }) => id !== ANTARCTICA);
}

/** Draws the map: countries in the 1:110 million atlas as areas, the other, smaller ones as points. */
export function drawWorld(): World {
  const large = countriesOf('110m');
  const projection = geoEqualEarth().fitWidth(WIDTH, { type: 'FeatureCollection', features: large });
  const path = geoPath(projection).digits(1);
  const [, [, bottom]] = path.bounds({ type: 'FeatureCollection', features: large });
  const codeOf = (id: unknown) => (id === undefined ? undefined : countries.numericToAlpha2(String(id)));
  const places = large.map((country): Place => ({ code: codeOf(country.id), path: path(country) ?? '' }));
  const drawn = new Set(places.map(({ code }) => code));
  for (const country of countriesOf('50m')) {
    const code = codeOf(country.id);
    const point = projection(geoCentroid(country));
    if (code === undefined || drawn.has(code) || point === null) continue;
    drawn.add(code);
    places.push({ code, point: [Math.round(point[0]), Math.round(point[1])] });
  }
  return { width: WIDTH, height: Math.ceil(bottom), places, codes: codesByName(drawn) };
}

/** The codes of the drawn countries by their English names in lower case. */
function codesByName(drawn: ReadonlySet<string | undefined>): Readonly<Record<string, string>> {
  countries.registerLocale(require('i18n-iso-countries/langs/en.json'));
  const names = Object.entries(countries.getNames('en', { select: 'all' }));
  const byName = names.flatMap(([code, spellings]) => spellings.map((name) => [name.toLowerCase(), code] as const));
  return Object.fromEntries([...byName, ...Object.entries(OTHER_NAMES)].filter(([, code]) => drawn.has(code)));
}

/**
 * A Vite plugin for the module `virtual:world`: the map is drawn by the build, so a browser needs neither the atlas nor the
 * projection.
 */
export function worldPlugin(): Plugin {
  const id = 'virtual:world';
  return {
    name: 'world',
    resolveId: (source) => (source === id ? `\0${id}` : undefined),
    load: (resolved) =>
      resolved === `\0${id}`
        ? `export const world = JSON.parse(${JSON.stringify(JSON.stringify(drawWorld()))})`
        : undefined,
  };
}
