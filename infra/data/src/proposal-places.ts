/** Where a proposal is, as far as its free-text location says. */
export interface Place {
  readonly country?: string;
  readonly region?: string;
}

/** Locations that the rule below cannot read: parts of countries, seas, and places that are none. */
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
const COUNTRY_NAMES: Readonly<Record<string, string>> = { USA: 'United States' };

/** `WA, USA` → country United States, region WA. An ocean is a region without a country. */
export function proposalPlace(location: string): Place {
  const special = SPECIAL[location];
  if (special) return special;
  if (/ Ocean\b/.test(location)) return { region: location };
  const parts = location.split(', ');
  const last = parts.pop() ?? '';
  return { country: COUNTRY_NAMES[last] ?? last, ...(parts.length > 0 && { region: parts.join(', ') }) };
}
