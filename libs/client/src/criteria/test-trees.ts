import { ASSET_FIELDS, fieldsOf } from '@carbon/contracts';
import { type CheckedNode, checkCriteria, criteriaFields, parseCriteria } from '@carbon/criteria';
import fc from 'fast-check';
import type { Criteria } from './criteria.js';
import { type ProjectFields, where } from './where.js';

const LIMITS = { length: 1_000_000, depth: 200, clauses: 10_000, patterns: 10_000, valueLength: 10_000 };
const FIELDS = criteriaFields(fieldsOf('PROJECT').map((name) => ({ multi: false, ...ASSET_FIELDS[name], name })));

/** A tree as the language reads it, with the names of fields alone. */
export type Tree =
  | { readonly kind: 'everything' }
  | { readonly kind: 'and' | 'or'; readonly terms: readonly Tree[] }
  | { readonly kind: 'not'; readonly term: Tree }
  | { readonly kind: string; readonly field: string; readonly [more: string]: unknown };

/** What the service understands; it must understand something. */
export function treeOf(criteria: Criteria<'projects'>): Tree {
  const text = String(criteria);
  const parsed = parseCriteria(text, LIMITS);
  const checked = parsed.ok ? checkCriteria(parsed.value, FIELDS, LIMITS) : parsed;
  if (!checked.ok) throw new Error(`${text}: ${checked.errors.map(({ detail }) => detail).join('; ')}`);
  return named(checked.value);
}

function named(node: CheckedNode): Tree {
  if ('terms' in node) return { kind: node.kind, terms: node.terms.map(named) };
  if ('term' in node) return { kind: 'not', term: named(node.term) };
  return 'field' in node ? { ...node, field: node.field.name } : node;
}

/** The same of criteria that are built. */
export function read(build: (fields: ProjectFields) => Criteria<'projects'>): Tree {
  return treeOf(where.projects(build));
}

/** The whole value is this one. */
export const equal = (field: string, value: unknown): Tree => ({ kind: 'equal', field, value });
/** The opposite; two cancel. */
export const negated = (term: Tree): Tree => ('term' in term ? (term.term as Tree) : { kind: 'not', term });
/** There is a value. */
export const exists = (field: string): Tree => ({ kind: 'exists', field });

/** Terms joined as the language joins them. */
export function joined(kind: 'and' | 'or', terms: readonly Tree[]): Tree {
  const flat = terms.flatMap((term) => (term.kind === kind ? (term.terms as readonly Tree[]) : [term]));
  const none: Tree = kind === 'and' ? { kind: 'everything' } : { kind: 'not', term: { kind: 'everything' } };
  return flat.length > 1 ? { kind, terms: flat } : (flat[0] ?? none);
}

/** Anything at all, and often the signs of the language itself. */
export const anyText = fc
  .oneof(
    fc.string({ unit: 'binary', maxLength: 30 }),
    fc
      .array(
        fc.constantFrom(
          '"',
          "'",
          '\\',
          '*',
          '?',
          ' or ',
          ' and ',
          'not ',
          '(',
          ')',
          ':',
          '..',
          '%',
          '\n',
          '\u0000',
          'a',
          '\u00e9',
          'null',
          '“',
        ),
        {
          maxLength: 12,
        },
      )
      .map((pieces) => pieces.join('')),
  )
  .map((text) => text.toWellFormed());
/** As the index holds it: what the language itself does to every text. */
export const held = (text: string) => text.normalize('NFC');
