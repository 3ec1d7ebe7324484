import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** What the corpus records of an error: of its prose only the criteria that the hint proposes, because the rest may change. */
export interface CriteriaErrorRecord {
  readonly code: string;
  readonly start: number;
  readonly end: number;
  /** The suggested name. */
  readonly suggestion?: string;
  /** The suggested criteria. */
  readonly rewrite?: string;
}

/** The result for a text: an OpenSearch query, or its errors. */
export type Answer = { readonly query: unknown } | { readonly errors: readonly CriteriaErrorRecord[] };

/** The fields that criteria may name, with the fields that only another resource has. */
export interface FieldSet {
  readonly list: readonly Readonly<Record<string, unknown>>[];
  readonly elsewhere: Readonly<Record<string, string>>;
}

interface Found {
  readonly code: string;
  readonly position: number;
  readonly length: number;
  readonly suggestion?: string;
  readonly hint?: string;
}

type Compiled =
  | { readonly ok: true; readonly query: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly errors: readonly Found[] };

/** The exports of the criteria package that this file needs. */
interface CriteriaPackage {
  criteriaFields(list: FieldSet['list'], elsewhere: FieldSet['elsewhere']): unknown;
  compile(text: string, fields: unknown): Compiled;
}

/** The placeholder of a hint for the omitted part of a long text. */
const SHORTENED = '…';

/**
 * Returns the criteria language of a checkout over one set of fields. Only this file knows the names of the package, so
 * other names need a change only here.
 */
export async function criteriaLanguage(root: string, { list, elsewhere }: FieldSet): Promise<(text: string) => Answer> {
  const built = pathToFileURL(join(root, 'libs/criteria/dist/index.js')).href;
  const { criteriaFields, compile } = (await import(built)) as CriteriaPackage;
  const fields = criteriaFields(list, elsewhere);
  const names = list.map(({ name }) => String(name));

  const rewriteIn = (hint: string) => {
    const words = hint.split(' ');
    const starts = words.flatMap((word, at) => (mayBegin(word, names) ? [at] : []));
    for (let count = words.length; count > 0; count--) {
      for (const at of starts.filter((start) => start + count <= words.length)) {
        const part = words
          .slice(at, at + count)
          .join(' ')
          .replace(/[,;]$/, '');
        if (!part.includes(SHORTENED) && compile(part, fields).ok) return part;
      }
    }
    return undefined;
  };
  return (text) => {
    const compiled = compile(text, fields);
    if (compiled.ok) return { query: compiled.query };
    return { errors: compiled.errors.map((found) => recordOf(found, rewriteIn(found.hint ?? ''))) };
  };
}

/** Returns whether criteria may begin with a word; only parts of a hint that begin so are tried. */
function mayBegin(word: string, names: readonly string[]): boolean {
  return /^(not$|-|\()/.test(word) || names.some((name) => word.startsWith(name));
}

function recordOf({ code, position, length, suggestion }: Found, rewrite: string | undefined): CriteriaErrorRecord {
  const place = { code: code.toLowerCase(), start: position, end: position + length };
  return { ...place, ...(suggestion !== undefined && { suggestion }), ...(rewrite !== undefined && { rewrite }) };
}
