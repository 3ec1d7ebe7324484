import { z } from 'zod';

/** The largest weight one offset takes: a thousand million tonnes, in kilograms. */
export const MOST_KG = 1e12;

/** `kgCO2e` of a body: a number, finite and above zero; text is not coerced. */
export const weight = z
  .number()
  .gt(0, { error: 'must be greater than 0' })
  .max(MOST_KG, { error: `must be at most ${MOST_KG} kilograms` })
  .meta({ description: 'A weight of emissions in kilograms of CO2-equivalent.', examples: [1234.5] });
