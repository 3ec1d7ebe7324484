import type { CriteriaFields } from '../fields.js';
import { editDistance } from './edit-distance.js';

/** Words people use for fields that are called otherwise. */
const SYNONYMS: ReadonlyMap<string, string> = new Map([
  ['symbol', 'ticker'],
  ['sdg', 'sdgs'],
  ['vintage', 'vintages'],
  ['score', 'rating'],
  ['title', 'name'],
  ['cost', 'price'],
]);

const SHORT_NAME = 4;

/** Drops what people vary without meaning another name: letter case, `_`, `-` and `.`. */
export function foldName(name: string): string {
  return name.toLowerCase().replaceAll('_', '').replaceAll('-', '').replaceAll('.', '');
}

/** The field that was probably meant by an unknown name; none when nothing is close. */
export function suggestField(name: string, fields: CriteriaFields): string | undefined {
  const folded = foldName(name);
  const same = fields.list.find((field) => foldName(field.name) === folded);
  return same?.name ?? fields.find(SYNONYMS.get(folded) ?? '')?.name ?? nearest(folded, fields);
}

function nearest(folded: string, fields: CriteriaFields): string | undefined {
  const reach = folded.length <= SHORT_NAME ? 1 : 2;
  let best: string | undefined;
  let least = reach + 1;
  for (const field of fields.list) {
    const distance = editDistance(folded, foldName(field.name), least);
    if (distance < least) [best, least] = [field.name, distance];
  }
  return best;
}
