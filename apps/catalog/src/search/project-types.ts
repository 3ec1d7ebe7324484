/**
 * The words for project types, by hand from the types and categories of the registries' projects: Barbara K. Haya et al.,
 * Voluntary Registry Offsets Database, Berkeley Carbon Trading Project (CC BY 4.0), through CarbonPlan's OffsetsDB, whose
 * categories are under the MIT licence; and the tags of CarbonPlan's CDR Database (CC BY 4.0). NOTICE has the attributions.
 *
 * All in the singular. Careful with words whose stem has other meanings: "farming" would find every wind farm, and
 * "forestation" every forest.
 */

/** Names of the same thing: each finds the others. */
export const SAME: readonly (readonly string[])[] = [
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

/** General names, and what they find besides themselves. The specific ones do not find the general ones. */
export const NARROWER: Readonly<Record<string, readonly string[]>> = {
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
