import type { Asset } from '@carbon/contracts';
import { categoryNames, countryName } from './names.js';
import type { ProposalRow } from './sources.js';

/**
 * Returns the carbon-removal proposals as assets. All together, because one without a price gets the median of its
 * kind.
 */
export function removalProposalAssets(rows: readonly ProposalRow[]): Asset[] {
  return rows.map((row) => ({
    id: `proj_${row.id.toLowerCase()}`,
    type: 'PROJECT',
    source: 'STRIPE',
    name: row.applicant,
    description: row.description,
    rating: row.rating,
    price: proposalPrice(row.price_usd_per_tco2) ?? medianPrice(rows, row.tags[0]),
    issued: row.volume_tco2,
    active: true,
    ...proposalPlace(row.location),
    categories: categoryNames(row.tags),
    listedAt: `${row.source_date}T00:00:00.000Z`,
  }));
}

/** US dollars; `$1M` is how the source writes a million. Undefined for an empty cell. */
export function proposalPrice(cell: string): number | undefined {
  if (cell === '') return undefined;
  if (cell === '$1M') return 1_000_000;
  const price = Number(cell);
  if (!Number.isFinite(price)) throw new Error(`"${cell}" is not a price`);
  return price;
}

/** Returns the middle price (the lower of two) of the proposals whose first tag is `tag`. */
function medianPrice(rows: readonly ProposalRow[], tag: string | undefined): number {
  const prices = rows
    .filter((row) => row.tags[0] === tag)
    .map((row) => proposalPrice(row.price_usd_per_tco2))
    .filter((price) => price !== undefined)
    .sort((a, b) => a - b);
  const median = prices[Math.floor((prices.length - 1) / 2)];
  if (median === undefined) throw new Error(`no proposal of kind ${tag} has a price`);
  return median;
}

/** The location of a proposal, as far as its free text is readable. */
export interface Place {
  readonly country?: string;
  readonly region?: string;
}

/** Locations that the rule below cannot read: parts of countries, seas, and texts that are not places. */
const SPECIAL: Readonly<Record<string, Place>> = {
  '': {},
  Unspecified: {},
  Scotland: { country: 'United Kingdom', region: 'Scotland' },
  England: { country: 'United Kingdom', region: 'England' },
  'South Sweden': { country: 'Sweden', region: 'South Sweden' },
  'Southern USA': { country: 'United States', region: 'Southern USA' },
  'Midwest and Southern USA': { country: 'United States', region: 'Midwest and Southern USA' },
  'Princeton, NJ and Berkeley, CA': { country: 'United States', region: 'Princeton, NJ and Berkeley, CA' },
  'Uruguay & CA, USA': { region: 'Uruguay & CA, USA' },
  'North America': { region: 'North America' },
  'North America / Europe': { region: 'North America / Europe' },
  Caribbean: { region: 'Caribbean' },
  'Black Sea': { region: 'Black Sea' },
};

/** `WA, USA` → country United States, region WA. An ocean is a region without a country. */
export function proposalPlace(location: string): Place {
  const special = SPECIAL[location];
  if (special) return special;
  if (/ Ocean\b/.test(location)) return { region: location };
  const parts = location.split(', ');
  const last = parts.pop() ?? '';
  return { country: countryName(last), ...(parts.length > 0 && { region: parts.join(', ') }) };
}
