export {
  type GoldenDocument,
  golden,
  goldenFields,
  goldenIndex,
  type InvalidExample,
  type ValidExample,
} from './reference/golden.js';
export { matches } from './reference/matches.js';
