import {
  ASSET_FIELDS,
  type AssetField,
  type AssetFieldName,
  type AssetType,
  fieldsOf,
  fieldsText,
  SORTABLE,
  searchParametersOf,
  sortText,
} from '@carbon/contracts';
import { optional, type Parameters, readParameters, suggestionFor } from '@carbon/http';
import type { z } from 'zod';
import { KINDS } from '../index/generation.js';
import type { SortKey } from './search-request.js';

/** What a list of field names may hold. */
export interface NameRule {
  /** Completes the sentence "names x, which …": "cannot be sorted by". */
  readonly otherwise: string;
  readonly known: readonly AssetFieldName[];
  /** Fields that only the other resource has, and its name. */
  readonly elsewhere: { readonly names: readonly string[]; readonly resource: string };
}

/** What is wrong with one name, as an item of the problem shows it. */
export interface NameFlaw {
  readonly detail: string;
  readonly advice: { readonly suggestion?: string; readonly allowed?: readonly string[] };
}

const LONGEST_SHOWN = 64;

/** What is wrong with a list of names, if anything: an empty, unknown or repeated one. */
export function flawOfNames(names: readonly string[], rule: NameRule): NameFlaw | undefined {
  const seen = new Set<string>();
  for (const name of names) {
    if (name === '') return { detail: 'holds an empty name; separate names by single commas', advice: {} };
    if (!isKnown(name, rule)) return unknown(name, rule);
    if (seen.has(name)) return { detail: `names ${name} more than once; name each field once`, advice: {} };
    seen.add(name);
  }
  return undefined;
}

function isKnown(name: string, { known }: NameRule): boolean {
  return known.some((one) => one === name);
}

function unknown(name: string, { otherwise, known, elsewhere }: NameRule): NameFlaw {
  const shown = name.slice(0, LONGEST_SHOWN);
  const suggestion = suggestionFor(name, known);
  if (suggestion !== undefined) {
    return { detail: `names ${shown}, which ${otherwise}; did you mean ${suggestion}?`, advice: { suggestion } };
  }
  const only = elsewhere.names.includes(name) ? `only ${elsewhere.resource} have` : otherwise;
  return { detail: `names ${shown}, which ${only}; use ${known.join(', ')}`, advice: { allowed: known } };
}

const OTHER: Readonly<Record<AssetType, AssetType>> = { POOL: 'PROJECT', PROJECT: 'POOL' };

/** The rule for names of fields of one type of asset, in the order of the field list; all of them unless `among` says which. */
export function namesFor(type: AssetType, otherwise: string, among?: readonly AssetFieldName[]): NameRule {
  const wanted = (name: AssetFieldName) => among === undefined || among.includes(name);
  const elsewhere = fieldsOf(OTHER[type]).filter((name) => wanted(name) && !fieldOf(name).on.includes(type));
  return {
    otherwise,
    known: among?.filter((name) => fieldOf(name).on.includes(type)) ?? fieldsOf(type),
    elsewhere: { names: elsewhere, resource: KINDS[OTHER[type]] },
  };
}

function fieldOf(name: AssetFieldName): AssetField {
  return ASSET_FIELDS[name];
}

/** The fields that a client asks for, in the order of the field list, and how that was written. */
export interface FieldsParameter {
  readonly text: string;
  readonly names: readonly AssetFieldName[];
}

const ALL = '*';

/** Reads `fields`: names of fields, or `*` alone for all that assets of this type have. */
export function fieldsParameter(type: AssetType): z.ZodType<FieldsParameter, string> {
  const rule = namesFor(type, 'is no field here');
  return fieldsText(type).transform((text, context): FieldsParameter => {
    const named: readonly string[] = text === ALL ? rule.known : text.split(',');
    const flaw = named.includes(ALL)
      ? { detail: `holds ${ALL}, which stands alone`, advice: {} }
      : flawOfNames(named, rule);
    if (flaw) context.addIssue({ code: 'custom', message: flaw.detail, params: flaw.advice });
    return { text, names: rule.known.filter((name) => named.includes(name)) };
  });
}

/** An order that a client asks for, and how it was written. */
export interface SortParameter {
  readonly text: string;
  readonly keys: readonly SortKey[];
}

/** Reads `sort`: names of sortable fields, the first the most important, each with a `-` before it for descending order. */
export function sortParameter(type: AssetType): z.ZodType<SortParameter, string> {
  const rule = namesFor(type, 'cannot be sorted by', SORTABLE);
  return sortText(type).transform((text, context): SortParameter => {
    const pieces = text
      .split(',')
      .map((piece) => ({ name: piece.replace(/^-/, ''), descending: piece.startsWith('-') }));
    const names = pieces.map(({ name }) => name);
    const flaw = flawOfNames(names, rule);
    if (flaw) context.addIssue({ code: 'custom', message: flaw.detail, params: flaw.advice });
    return { text, keys: pieces.map(({ name, descending }) => ({ by: name as AssetFieldName, descending })) };
  });
}

/** The parameters that the API describes and no others; two of them are taken apart here. */
const specFor = (type: AssetType) => ({
  ...searchParametersOf(type),
  sort: optional(sortParameter(type)),
  fields: optional(fieldsParameter(type)),
});

const SPECS = { POOL: specFor('POOL'), PROJECT: specFor('PROJECT') } as const satisfies Record<AssetType, unknown>;

/** What a client asks for. */
export type SearchParameters = Parameters<ReturnType<typeof specFor>>;

/** Reads the query of a search's URL. @throws RequestError invalid_request with every mistake */
export function searchParameters(rawUrl: string, type: AssetType): SearchParameters {
  return readParameters(rawUrl, SPECS[type]);
}
