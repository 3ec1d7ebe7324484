import { readFileSync } from 'node:fs';
import type { Asset, AssetType } from '@carbon/contracts';

const ROOT = new URL('../../../', import.meta.url);

/** A row of a table: its cells by the heads of their columns. */
export type Row = Readonly<Record<string, string>>;

/** A text file of the repository, by its path from the root. */
export function textOf(path: string): string {
  return readFileSync(new URL(path, ROOT), 'utf8');
}

/** The asset library that comes with the service. */
export function starterLibrary(): readonly Asset[] {
  const lines = textOf('infra/data/assets.ndjson').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Asset);
}

/** The rows of all tables of a page whose first columns have these heads. */
export function rowsOf(page: string, ...heads: readonly string[]): readonly Row[] {
  const tables = page.split(/\n(?!\|)/).map((block) => block.split('\n').filter((line) => line.startsWith('|')));
  return tables.flatMap(([head = '', , ...lines]) => {
    const names = cellsOf(head);
    if (!heads.every((name, place) => names[place] === name)) return [];
    return lines.map((line) => Object.fromEntries(cellsOf(line).map((cell, place) => [names[place] ?? '', cell])));
  });
}

function cellsOf(line: string): string[] {
  const cells = line.split(/(?<!\\)\|/).slice(1, -1);
  return cells.map((cell) => cell.trim().replaceAll('\\|', '|'));
}

/** The pieces of code in a cell. */
export function codesIn(cell = ''): readonly string[] {
  return [...cell.matchAll(/`` (.+?) ``|`([^`]+)`/g)].map(([, long, short]) => long ?? short ?? '');
}

/** The blocks of code in one language on a page. */
export function blocksOf(page: string, language: string): readonly string[] {
  return [...page.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)]
    .filter(([, of]) => of === language)
    .map(([, , text = '']) => text);
}

/** An accepted criteria of a page, and the words in which the page says what it finds. */
export interface AcceptedExample {
  readonly criteria: string;
  readonly type: AssetType;
  readonly finds: string;
  /** Other spellings of the same condition. */
  readonly spellings: readonly string[];
}

/** A refused criteria of a page, with its code and the rewrite that the answer gives. */
export interface RefusedExample {
  readonly criteria: string;
  readonly code: string;
  /** Absent where there is no rewrite. */
  readonly instead: string | undefined;
}

/** The accepted examples of docs/criteria.md. */
export function acceptedExamples(page: string): readonly AcceptedExample[] {
  return rowsOf(page, 'criteria', 'finds').map((row) => {
    const finds = row.finds ?? '';
    const type = /projects?$/.test(finds) ? 'PROJECT' : 'POOL';
    return { criteria: codesIn(row.criteria)[0] ?? '', type, finds, spellings: codesIn(row['other spellings']) };
  });
}

/** The refused examples of docs/criteria.md. */
export function refusedExamples(page: string): readonly RefusedExample[] {
  return rowsOf(page, 'refused', 'code', 'instead').map((row) => ({
    criteria: codesIn(row.refused)[0] ?? '',
    code: codesIn(row.code)[0] ?? '',
    instead: codesIn(row.instead)[0],
  }));
}

/** How docs/criteria.md says what was found: pools by their tickers, or the number of projects. */
export function findsText(type: AssetType, found: readonly Asset[], all: number): string {
  if (type === 'PROJECT')
    return found.length === 0 ? 'no project' : `${found.length} project${found.length > 1 ? 's' : ''}`;
  if (found.length === 0) return 'no pool';
  return found.length === all ? 'all pools' : found.map(({ ticker }) => ticker).join(', ');
}
