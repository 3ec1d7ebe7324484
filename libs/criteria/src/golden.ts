export { randomCriteria, randomDocument, randomPredicate } from './reference/generate.js';
export {
  type GoldenDocument,
  golden,
  goldenFields,
  goldenIndex,
  type InvalidExample,
  type ValidExample,
} from './reference/golden.js';
export { matches } from './reference/matches.js';
export { type Choose, seeded } from './reference/random.js';
