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
import { criteriaFields, suggestField } from '@carbon/criteria';
import { MAX_ERROR_ITEMS, optional, type Parameters, readParameters, suggestionFor } from '@carbon/http';
import type { z } from 'zod';
import { KINDS } from '../index/generation.js';
import type { SortKey } from './search-query.js';

/** Which field names a parameter accepts. */
interface NameRule {
  /** Completes a sentence about a name: "cannot be sorted by". */
  readonly otherwise: string;
  readonly known: readonly AssetFieldName[];
  /** Returns the name that was probably intended, or undefined. */
  readonly suggest: (name: string) => string | undefined;
  /** Fields that only the other type of asset has, and the name of its search. */
  readonly elsewhere: { readonly names: readonly string[]; readonly kind: string };
}

const OTHER: Readonly<Record<AssetType, AssetType>> = { POOL: 'PROJECT', PROJECT: 'POOL' };

/** The rule for the fields of one type of asset: all of them, unless `among` lists some. */
function ruleFor(type: AssetType, otherwise: string, among?: readonly AssetFieldName[]): NameRule {
  const isOn = (name: AssetFieldName, one: AssetType) => (ASSET_FIELDS[name] as AssetField).on.includes(one);
  const known = among?.filter((name) => isOn(name, type)) ?? fieldsOf(type);
  const others = among?.filter((name) => isOn(name, OTHER[type])) ?? fieldsOf(OTHER[type]);
  return {
    otherwise,
    known,
    suggest: (name) => (/^[-!]/.test(name) ? undefined : nearestOf(name, known)),
    elsewhere: { names: others.filter((name) => !isOn(name, type)), kind: KINDS[OTHER[type]] },
  };
}

/** The known name with a similar spelling, or the one that criteria suggest for a synonym. */
function nearestOf(name: string, known: readonly AssetFieldName[]): string | undefined {
  const fields = criteriaFields(known.map((one) => ({ name: one, type: 'keyword', multi: false })));
  return suggestionFor(name, known) ?? suggestField(name, fields);
}

/** Other spellings of an order: `price desc`, `price:desc`, `desc(price)`, `price-`. */
const CALLED = /^(asc|desc)\((\w{1,64})\)$/i;
const DIRECTED = /^(\w{1,64}?)(?:[\s:._|-]?(asc|desc)(?:ending)?|([-+]))$/i;

function suggestedKey(name: string, known: readonly AssetFieldName[]): string | undefined {
  const [, called, argument] = CALLED.exec(name) ?? [];
  const [, directed, word, sign] = DIRECTED.exec(name) ?? [];
  const field = known.find((one) => one === (argument ?? directed));
  if (field === undefined) return nearestOf(name, known);
  return /^desc|^-$/i.test(called ?? word ?? sign ?? '') ? `-${field}` : field;
}

const MAX_SHOWN_CHARACTERS = 64;

/** What is wrong with one name, as an item of the problem. */
interface NameError {
  readonly detail: string;
  readonly hint?: { readonly suggestion?: string; readonly allowed?: readonly string[] };
}

/** Beyond the maximum, mistakes are only counted: to search for a suggestion for thousands of names would be costly. */
const UNLISTED: NameError = { detail: '' };

/** Finds every empty, unknown or repeated name, each once. */
function errorsIn(names: readonly string[], rule: NameRule): readonly NameError[] {
  const errors: NameError[] = [];
  const uses = new Map<string, number>();
  for (const name of names) {
    const use = (uses.get(name) ?? 0) + 1;
    uses.set(name, use);
    const isKnown = rule.known.some((one) => one === name);
    if (use > 2 || (use === 1 ? isKnown : name === '')) continue;
    errors.push(errors.length < MAX_ERROR_ITEMS ? errorOf(name, use, rule) : UNLISTED);
  }
  return errors;
}

function errorOf(name: string, use: number, rule: NameRule): NameError {
  if (name === '') return { detail: 'has an empty name; separate names by single commas' };
  if (use === 1) return unknownName(name, rule);
  return { detail: `\`${name.slice(0, MAX_SHOWN_CHARACTERS)}\` is repeated; name each field once` };
}

function unknownName(name: string, { otherwise, known, suggest, elsewhere }: NameRule): NameError {
  const shown = name.slice(0, MAX_SHOWN_CHARACTERS);
  const suggestion = suggest(name);
  if (suggestion !== undefined) {
    return { detail: `\`${shown}\` ${otherwise}; did you mean ${suggestion}?`, hint: { suggestion } };
  }
  const reason = elsewhere.names.includes(name) ? `is a field of ${elsewhere.kind} only` : otherwise;
  return { detail: `\`${shown}\` ${reason}; use ${known.join(', ')}`, hint: { allowed: known } };
}

function report(mistakes: readonly NameError[], context: z.RefinementCtx): void {
  for (const { detail, hint = {} } of mistakes) context.addIssue({ code: 'custom', message: detail, params: hint });
}

const ALL = '*';

/** Parses names of some fields, separated by commas, in the order of the list. @param otherwise completes a sentence about a name */
export function namesParameter(
  text: z.ZodString,
  type: AssetType,
  otherwise: string,
  among: readonly AssetFieldName[],
) {
  const rule = ruleFor(type, otherwise, among);
  return text.transform((sent, context) => {
    const named: readonly string[] = sent.split(',');
    report(errorsIn(named, rule), context);
    return { names: rule.known.filter((name) => named.includes(name)) };
  });
}

/** Parses `fields`: names in the order of the field list, or `*` alone for all fields of the type. */
function fieldsParameter(type: AssetType) {
  const rule = ruleFor(type, 'is not a field');
  return fieldsText(type).transform((text, context) => {
    const named: readonly string[] = text === ALL ? rule.known : text.split(',');
    const mixed = named.includes(ALL) ? [{ detail: `\`${ALL}\` cannot be combined with other names` }] : [];
    report(
      [
        ...mixed,
        ...errorsIn(
          named.filter((name) => name !== ALL),
          rule,
        ),
      ],
      context,
    );
    return { text, names: rule.known.filter((name) => named.includes(name)) };
  });
}

/** Parses `sort`: sortable fields, the most important first, each with a `-` before it for descending order. */
function sortParameter(type: AssetType) {
  const sortable = ruleFor(type, 'cannot be sorted by', SORTABLE);
  const rule = { ...sortable, suggest: (name: string) => suggestedKey(name, sortable.known) };
  return sortText(type).transform((text, context) => {
    const keys = text.split(',').map((key): SortKey => {
      return { by: key.replace(/^-/, '') as AssetFieldName, descending: key.startsWith('-') };
    });
    const names = keys.map(({ by }) => by);
    report(errorsIn(names, rule), context);
    return { text, keys };
  });
}

const schemaFor = (type: AssetType) => ({
  ...searchParametersOf(type),
  sort: optional(sortParameter(type)),
  fields: optional(fieldsParameter(type)),
});

const SCHEMAS = { POOL: schemaFor('POOL'), PROJECT: schemaFor('PROJECT') } as const satisfies Record<
  AssetType,
  unknown
>;

/** The parameters of a search. */
export type SearchParameters = Parameters<ReturnType<typeof schemaFor>>;

/** Parses the query of a search's URL. @throws RequestError invalid_request with every mistake */
export function searchParameters(rawUrl: string, type: AssetType): SearchParameters {
  return readParameters(rawUrl, SCHEMAS[type]);
}
