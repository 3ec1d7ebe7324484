export { randomCriteria, randomDocument, randomPredicate, writeCriteria } from './generate.js';
export {
  type GoldenDocument,
  golden,
  goldenFields,
  type InvalidExample,
  indexFor,
  libraryFields,
  randomFields,
  type ValidExample,
} from './golden.js';
export { matches } from './matches.js';
export { MUTANTS, type Mutant } from './mutants.js';
export { type Choose, seeded } from './random.js';
export { smallest, type Written } from './written.js';
