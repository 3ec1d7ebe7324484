import type { CriteriaField, CriteriaFields } from '../fields.js';
import type { GoldenDocument } from './golden.js';
import { type Choose, oneOf } from './random.js';
import {
  spellDiffers,
  spellEquals,
  spellField,
  spellList,
  spellPresent,
  spellRelation,
  spellValue,
} from './spellings.js';
import { ASKED, STORED } from './values.js';

const DEEPEST = 3;
const MOST_VALUES = 3;

/** A criteria text that is accepted, over every construct and spelling of the language. */
export function randomCriteria(choose: Choose, fields: CriteriaFields, depth = DEEPEST): string {
  const term = () => `(${randomCriteria(choose, fields, depth - 1)})`;
  if (depth === 0) return randomPredicate(choose, fields);
  switch (choose(6)) {
    case 0:
      return [term(), term()].join(oneOf(choose, [' or ', '||', ' OR ']));
    case 1:
      return [term(), term(), term()].join(oneOf(choose, [' and ', '&&', ' And ', ' ', '\t']));
    case 2:
      return oneOf(choose, ['not ', '!', '-', 'NOT']) + term();
    case 3:
      return `${randomPredicate(choose, fields)} and ${randomPredicate(choose, fields)} or not ${term()}`;
    default:
      return randomPredicate(choose, fields);
  }
}

/** One condition on one of the fields. */
export function randomPredicate(choose: Choose, fields: CriteriaFields): string {
  const field = fields.list[choose(fields.list.length)];
  if (field === undefined) return '*';
  const name = spellField(choose, field.name);
  if (choose(6) === 0) return spellPresent(choose, name);
  if (field.type === 'text') return name + randomTextCondition(choose, field);
  const isOrdered = field.type === 'number' || field.type === 'integer' || field.type === 'date';
  return name + (isOrdered && choose(2) === 0 ? randomOrder(choose, field) : randomEquality(choose, field));
}

function randomTextCondition(choose: Choose, field: CriteriaField): string {
  if (field.exact && choose(2) === 0) return randomEquality(choose, field);
  return spellEquals(choose, 'words') + randomValue(choose, field);
}

function randomEquality(choose: Choose, field: CriteriaField): string {
  const value = () => randomValue(choose, field);
  switch (choose(4)) {
    case 0:
      return spellEquals(choose, 'whole') + value();
    case 1:
      return spellDiffers(choose) + value();
    case 2:
      return ` in ${spellList(choose, [value(), value(), value()])}`;
    default:
      return ` not in ${spellList(choose, [value()])}`;
  }
}

function randomOrder(choose: Choose, field: CriteriaField): string {
  const pool = ASKED[field.type];
  const low = choose(pool.length);
  const high = low + choose(pool.length - low);
  const [from, to] = [pool[low] ?? '', pool[high] ?? ''];
  switch (choose(5)) {
    case 0:
      return `:${from}..${to}`;
    case 1:
      return `=${from}..`;
    case 2:
      return `!=..${to}`;
    default:
      return spellRelation(choose, oneOf(choose, ['gt', 'gte', 'lt', 'lte'])) + spellValue(choose, to);
  }
}

function randomValue(choose: Choose, field: CriteriaField): string {
  return spellValue(choose, oneOf(choose, ASKED[field.type]));
}

/** A document with some of the fields; others absent, null or empty. */
export function randomDocument(choose: Choose, fields: CriteriaFields, id: string): GoldenDocument {
  const held = fields.list.map((field) => [field.name, randomContent(choose, field)]);
  return { ...Object.fromEntries(held.filter(([, value]) => value !== undefined)), id };
}

function randomContent(choose: Choose, field: CriteriaField): unknown {
  if (choose(4) === 0) return oneOf<unknown>(choose, [undefined, null, []]);
  const value = () => oneOf(choose, STORED[field.type]);
  return field.multi ? Array.from({ length: 1 + choose(MOST_VALUES) }, value) : value();
}
