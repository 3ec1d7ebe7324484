export { randomCriteria, randomDocument, randomPredicate, writeCriteria } from './reference/generate.js';
export {
  type GoldenDocument,
  golden,
  goldenFields,
  type InvalidExample,
  indexFor,
  randomFields,
  type ValidExample,
} from './reference/golden.js';
export { matches } from './reference/matches.js';
export { MUTANTS, type Mutant } from './reference/mutants.js';
export { type Choose, seeded } from './reference/random.js';
export { smallest, type Written } from './reference/written.js';
