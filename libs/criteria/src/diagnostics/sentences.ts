import { operatorsOf } from '../operators.js';
import type { Proposal } from './criteria-error.js';
import { writeCondition } from './proposals.js';
import { repaired } from './repairs.js';
import { afterSpace, bare, type FailedText, type Name } from './source.js';

const VALUE = '([\\p{Sc}\\p{L}\\p{N}.,:-]{1,40}?)(?=[\\s)]|$)';
const sentence = (words: string) => new RegExp(`^(?:is\\s{1,9})?${words}`, 'iu');

/** Comparisons in words, with the value, and their operators. */
const COMPARISONS: readonly (readonly [RegExp, string])[] = [
  [sentence(`(?:at\\s{1,9}least|min(?:imum)?|from|since)\\s{1,9}${VALUE}(?!\\s{1,9}(?:to|until)\\b)`), '>='],
  [sentence(`(?:at\\s{1,9}most|max(?:imum)?|up\\s{1,9}to|until)\\s{1,9}${VALUE}`), '<='],
  [sentence(`(?:(?:newer|later|higher|larger|bigger|more|greater)\\s{1,9}than|above|over|after)\\s{1,9}${VALUE}`), '>'],
  [sentence(`(?:(?:older|earlier|lower|smaller|less|fewer)\\s{1,9}than|below|under|before)\\s{1,9}${VALUE}`), '<'],
  [sentence(`${VALUE}\\s{1,9}(?:or|and)\\s{1,9}(?:higher|more|greater|better|above|later|newer|up)\\b`), '>='],
  [sentence(`${VALUE}\\s{1,9}(?:or|and)\\s{1,9}(?:lower|less|fewer|below|earlier|older)\\b`), '<='],
];
const RANGE = sentence(`from\\s{1,9}${VALUE}\\s{1,9}(?:to|until)\\s{1,9}${VALUE}`);
const REACH = 120;

/** Returns the comparison that a sentence behind a field means: `rating at least 3`, `price from 5 to 10`; undefined for any other. */
export function comparisonInWords(
  { text, fields }: Pick<FailedText, 'text' | 'fields'>,
  word: Name,
  name: string,
): Proposal | undefined {
  const field = fields.find(name);
  if (field === undefined || !operatorsOf(field).includes('>')) return undefined;
  const start = afterSpace(text, word.position + word.length);
  const rest = text.slice(start, start + REACH);
  const value = (written: string) => repaired(field, written)?.written ?? bare(written);
  const proposal = (whole: string, condition: string) => {
    const range = { position: word.position, length: start + whole.length - word.position };
    return { ...writeCondition(`${field.name}${condition}`), range };
  };
  const [range, low = '', high = ''] = RANGE.exec(rest) ?? [];
  if (range !== undefined) return proposal(range, `:${value(low)}..${value(high)}`);
  for (const [form, sign] of COMPARISONS) {
    const [whole, bound = ''] = form.exec(rest) ?? [];
    if (whole !== undefined) return proposal(whole, ` ${sign} ${value(bound)}`);
  }
  return undefined;
}
