/**
 * The synonyms of project types, written by hand. Sources: the types and categories of projects in Barbara K. Haya et al.,
 * Voluntary Registry Offsets Database, Berkeley Carbon Trading Project (CC BY 4.0), as published in CarbonPlan's OffsetsDB, whose
 * categories are under the MIT licence; and the tags of CarbonPlan's CDR Database (CC BY 4.0). NOTICE has the attributions.
 *
 * Every term is singular. Do not add a word whose stem has other meanings: "farming" would find every wind farm, and
 * "forestation" every forest.
 */

/** Synonyms: a search for one finds the others. */
export const SYNONYMS: readonly (readonly string[])[] = [
  ['hydropower', 'hydroelectric', 'hydro power', 'hydro electric', 'hydroelectricity', 'hydro electricity'],
  ['photovoltaic', 'pv'],
  ['cookstove', 'cook stove', 'cooking stove'],
  ['improved forest management', 'ifm'],
  ['redd', 'avoided deforestation'],
  ['landfill gas', 'landfill methane', 'lfg'],
  ['municipal solid waste', 'msw'],
  ['direct air capture', 'dac'],
  ['macroalgae', 'seaweed'],
];

/** General terms, each with the narrower terms that a search for it also finds. A narrower term does not find the general one. */
export const NARROWER_TERMS: Readonly<Record<string, readonly string[]>> = {
  forest: ['forestry', 'afforestation', 'reforestation', 'deforestation', 'agroforestry', 'redd', 'ifm'],
  forestry: ['afforestation', 'reforestation', 'deforestation', 'agroforestry', 'redd', 'ifm'],
  'forest management': ['ifm'],
  deforestation: ['redd'],
  arr: ['afforestation', 'reforestation'],
  'tree planting': ['afforestation', 'tree plantation', 'forest plantation'],
  hydro: ['hydropower'],
  'hydroelectric power': ['hydropower'],
  'hydro electric power': ['hydropower'],
  'wind power': ['wind'],
  'wind energy': ['wind'],
  windpower: ['wind'],
  solar: ['photovoltaic'],
  'solar power': ['solar', 'photovoltaic'],
  'solar energy': ['solar', 'photovoltaic'],
  renewable: ['hydropower', 'wind', 'solar', 'geothermal'],
  'renewable energy': ['hydropower', 'wind', 'solar', 'geothermal'],
  'energy efficiency': ['waste heat recovery', 'lighting', 'weatherization'],
  stove: ['cookstove'],
  'clean cooking': ['cookstove'],
  methane: ['landfill gas', 'biogas', 'biodigester'],
  biogas: ['biodigester', 'methane digester'],
  digester: ['biodigester'],
  'natural gas': ['lng'],
  'natural gas power': ['natural gas electricity generation', 'lng'],
  'industrial gas': ['hfc', 'n2o', 'sf6'],
  agriculture: [
    'rice emission reduction',
    'nitrogen management',
    'irrigation management',
    'soil carbon',
    'agroforestry',
  ],
  wetland: ['peatland'],
  peat: ['peatland'],
  algae: ['algal', 'macroalgae', 'phytoplankton'],
  'enhanced weathering': ['olivine', 'basalt', 'wollastonite', 'limestone weathering'],
};
