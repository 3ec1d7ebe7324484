import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../checkout.js';
import { type Answer, criteriaLanguage, type FieldSet } from './adapter.js';

const FOLDER = join(ROOT, 'acceptance/corpus');
/** A longer query is stored as its digest. */
const MAX_QUERY_LENGTH = 2_000;

/** A text, or its pieces with the number of their repetitions. */
type Text = string | readonly (readonly [piece: string, times: number])[];

/** One line of a file: a text, its set of fields, and the result. */
interface Line {
  readonly of: string;
  readonly text: Text;
}

/** The files of the corpus, with one text a line. */
export const FILES: readonly string[] = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.ndjson'))
  .sort();

/** Returns the lines of a file. */
export function frozenLines(file: string): readonly string[] {
  return readFileSync(join(FOLDER, file), 'utf8').trimEnd().split('\n');
}

/** Returns the lines of a file with the current results. */
export async function linesNow(file: string): Promise<readonly string[]> {
  const sets = JSON.parse(readFileSync(join(FOLDER, 'fields.json'), 'utf8')) as Record<string, FieldSet>;
  const languages = new Map<string, (text: string) => Answer>();
  for (const [name, fields] of Object.entries(sets)) languages.set(name, await criteriaLanguage(ROOT, fields));
  return frozenLines(file).map((line) => {
    const { of, text } = JSON.parse(line) as Line;
    const answer = languages.get(of)?.(textOf(text));
    if (answer === undefined) throw new Error(`${file} names fields that fields.json does not have: ${of}`);
    return visible(JSON.stringify({ of, text, ...shortened(answer) }));
  });
}

/** Writes the current results into the files. */
export async function freezeCorpus(): Promise<void> {
  for (const file of FILES) writeFileSync(join(FOLDER, file), `${(await linesNow(file)).join('\n')}\n`);
}

function textOf(text: Text): string {
  return typeof text === 'string' ? text : text.map(([piece, times]) => piece.repeat(times)).join('');
}

function shortened(answer: Answer): Answer {
  if (!('query' in answer)) return answer;
  const sorted = inOrder(answer.query);
  const query = JSON.stringify(sorted);
  if (query.length <= MAX_QUERY_LENGTH) return { query: sorted };
  return { query: `sha256 ${createHash('sha256').update(query).digest('hex')}` };
}

/** The order of an object's members does not matter. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([key, member]) => [key, inOrder(member)] as const);
  return Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Escapes characters that a diff would not show. */
function visible(json: string): string {
  return json.replaceAll(/[^\P{C} ]|[^\P{Z} ]|\p{M}/gu, (sign) =>
    [...sign.split('')].map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
  );
}
