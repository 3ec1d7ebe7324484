import {
  ASSET_FIELDS,
  ASSETS_PER_PAGE,
  type AssetField,
  type AssetFieldName,
  type AssetType,
  RESULT_FIELDS,
} from '@carbon/contracts';
import { type Compiled, type CriteriaFields, compile, criteriaFields, snippet, toErrorItem } from '@carbon/criteria';
import type { CursorScope, Cursors } from '@carbon/http';
import { errorSummary, invalidRequest, RequestError } from '@carbon/http';
import { KINDS } from '../index/generation.js';
import { clausesIn, MOST_CLAUSES, type Query } from './clauses.js';
import { type FullText, readFullText } from './full-text/terms.js';
import { refuseTooLong } from './next-page.js';
import { type SearchParameters, searchParameters } from './search-parameters.js';
import { BY_RATING, BY_TIER, type PageWanted, type SortKey, searchQuery, totalOrder } from './search-request.js';

/** The fields that criteria may name, for each type of asset; read off the field list of the library. */
export const CRITERIA_FIELDS: Readonly<Record<AssetType, CriteriaFields>> = {
  POOL: fieldsFor('POOL'),
  PROJECT: fieldsFor('PROJECT'),
};

function fieldsFor(type: AssetType): CriteriaFields {
  const all = Object.entries<AssetField>(ASSET_FIELDS);
  const own = all.filter(([, field]) => field.on.includes(type));
  const others = all.filter(([, field]) => !field.on.includes(type));
  const list = own.map(([name, { type, multi = false, exact = false }]) => ({ name, type, multi, exact }));
  const elsewhere = others.map(([name, { on }]) => [name, on.map((other) => KINDS[other]).join()] as const);
  return criteriaFields(list, Object.fromEntries(elsewhere));
}

type Filter = Extract<Compiled, { ok: true }>;

/** What selects the assets that criteria mean. @throws RequestError invalid_criteria with every mistake and where it is */
export function criteriaFilter(criteria: string, type: AssetType): Filter {
  const compiled = compile(criteria, CRITERIA_FIELDS[type]);
  if (compiled.ok) return compiled;
  const items = compiled.errors.map(toErrorItem);
  throw new RequestError('invalid_criteria', errorSummary(items), {
    items,
    members: { snippet: snippet(criteria, compiled.errors) },
  });
}

/** A search of one account at one address. */
export interface AssetQuestion {
  readonly type: AssetType;
  readonly account: string;
  /** Path and query, as they were sent. */
  readonly address: string;
}

/** A question that can be answered. */
export interface ReadQuestion {
  readonly wanted: PageWanted;
  /** What the criteria mean, in one spelling for all that mean the same. */
  readonly canonical: string;
  readonly limit: number;
  /** What a cursor of this search is good for. */
  readonly scope: CursorScope;
  /** All that was sent but the cursor, as it was sent. */
  readonly parameters: Readonly<Record<string, string | number>>;
}

/** Reads a question to the end. @throws RequestError invalid_request, invalid_criteria, invalid_cursor, uri_too_long */
export function readQuestion({ type, account, address }: AssetQuestion, cursors: Cursors): ReadQuestion {
  const sent = searchParameters(address, type);
  const { limit = ASSETS_PER_PAGE, cursor } = sent;
  const { query: filter, canonical } = criteriaFilter(sent.criteria, type);
  const [route = '/'] = address.split('?', 1);
  const scope = { route, account, parameters: boundTo(sent) };
  const parameters = { ...scope.parameters, ...(sent.limit !== undefined && { limit }) };
  refuseTooLong({ scope, parameters });
  const after = cursor === undefined ? undefined : cursors.read(cursor, scope);
  const fullText = readFullText(sent.fullTextSearch);
  if (!fullText.blank) refuseTooMuch(searchQuery({ filter, fullText }));
  const order = orderOf(sent, fullText);
  const fields: readonly AssetFieldName[] = sent.fields?.names ?? RESULT_FIELDS;
  return {
    // One more than asked for tells whether there is a next page.
    wanted: { filter, fullText, order, fields, size: limit + 1, ...(after && { after }) },
    canonical,
    limit,
    scope,
    parameters,
  };
}

/** The parameters that a cursor holds for: all but where and how many. */
function boundTo({ criteria, fullTextSearch, sort, fields }: SearchParameters): Record<string, string> {
  return {
    criteria,
    fullTextSearch,
    ...(sort && { sort: sort.text }),
    ...(fields && { fields: fields.text }),
  };
}

function orderOf({ sort }: SearchParameters, fullText: FullText): readonly SortKey[] {
  if (sort) return totalOrder(sort.keys);
  return totalOrder(fullText.blank ? BY_RATING : BY_TIER);
}

/** Criteria and words are each within their limits; together they may be more than OpenSearch takes. */
function refuseTooMuch(query: Query): void {
  if (clausesIn(query) <= MOST_CLAUSES) return;
  const detail = 'has too many words to be searched for together with this many criteria; shorten either';
  throw invalidRequest([{ field: 'fullTextSearch', code: 'invalid_parameter', detail }]);
}
