import {
  ASSET_FIELDS,
  ASSETS_PER_PAGE,
  type AssetField,
  type AssetFieldName,
  type AssetType,
  RESULT_FIELDS,
  SORTABLE,
} from '@carbon/contracts';
import { type Compiled, type CriteriaFields, compile, criteriaFields, snippet, toErrorItem } from '@carbon/criteria';
import {
  type CursorScope,
  type Cursors,
  errorSummary,
  invalidRequest,
  nextLink,
  nextPageUrl,
  RequestError,
} from '@carbon/http';
import { KINDS } from '../index/generation.js';
import { clausesIn, MAX_CLAUSES } from './clause-count.js';
import { readFullText } from './full-text-terms.js';
import { type SearchParameters, searchParameters } from './search-parameters.js';
import { BY_RATING, BY_TIER, type PageQuery, searchQuery, totalOrder } from './search-query.js';

/** The fields that criteria may name, for each type of asset. */
export const CRITERIA_FIELDS: Readonly<Record<AssetType, CriteriaFields>> = {
  POOL: fieldsFor('POOL'),
  PROJECT: fieldsFor('PROJECT'),
};

function fieldsFor(type: AssetType): CriteriaFields {
  const all = Object.entries<AssetField>(ASSET_FIELDS);
  const own = all.filter(([, field]) => field.on.includes(type));
  const others = all.filter(([, field]) => !field.on.includes(type));
  const list = own.map(([name, { type, multi = false, exact = false }]) => {
    return { name, type, multi, exact, sortable: SORTABLE.some((one) => one === name) };
  });
  const elsewhere = others.map(([name, { on }]) => [name, on.map((other) => KINDS[other]).join()] as const);
  return criteriaFields(list, Object.fromEntries(elsewhere));
}

/** A search as an account requests it. */
export interface SearchRequest {
  readonly type: AssetType;
  readonly account: string;
  /** Path and query, as the client sent them. */
  readonly url: string;
}

/** A valid search, ready to execute. */
export interface SearchPlan {
  readonly query: PageQuery;
  /** The criteria in their canonical spelling. */
  readonly canonical: string;
  readonly limit: number;
  /** The search for which a cursor is valid. */
  readonly scope: CursorScope;
  /** The parameters of the next page's URL, without the cursor. */
  readonly parameters: Readonly<Record<string, string | number>>;
}

/** Parses and checks a search. @throws RequestError invalid_request, invalid_criteria, invalid_cursor, uri_too_long */
export function planSearch({ type, account, url }: SearchRequest, cursors: Cursors): SearchPlan {
  const sent = searchParameters(url, type);
  const { limit = ASSETS_PER_PAGE, cursor } = sent;
  const { query: filter, canonical } = compileCriteria(sent.criteria, type);
  const [route = '/'] = url.split('?', 1);
  const scope = { route, account, parameters: scopeParameters(sent) };
  const parameters = { ...scope.parameters, ...(sent.limit !== undefined && { limit }) };
  checkUrlLength(route, parameters);
  const after = cursor === undefined ? undefined : cursors.read(cursor, scope);
  const fullText = readFullText(sent.fullTextSearch);
  const order = totalOrder(sent.sort?.keys ?? (fullText.isBlank ? BY_RATING : BY_TIER));
  const fields: readonly AssetFieldName[] = sent.fields?.names ?? RESULT_FIELDS;
  // One asset more than the limit tells whether there is a next page.
  const query = { filter, fullText, order, fields, size: limit + 1, ...(after && { after }) };
  if (!fullText.isBlank) checkClauseCount(query);
  return { query, canonical, limit, scope, parameters };
}

/** The parameters to which a cursor is bound: all but `limit` and `cursor`. */
function scopeParameters({ criteria, fullTextSearch, sort, fields }: SearchParameters): Record<string, string> {
  return {
    criteria,
    fullTextSearch,
    ...(sort && { sort: sort.text }),
    ...(fields && { fields: fields.text }),
  };
}

/** Compiles criteria to a filter. @throws RequestError invalid_criteria with the errors and their positions */
export function compileCriteria(criteria: string, type: AssetType): Extract<Compiled, { ok: true }> {
  const compiled = compile(criteria, CRITERIA_FIELDS[type]);
  if (compiled.ok) return compiled;
  const items = compiled.errors.map(toErrorItem);
  throw new RequestError('invalid_criteria', errorSummary(items), {
    items,
    members: { snippet: snippet(criteria, compiled.errors) },
  });
}

/** Compiles criteria and reads words. @throws RequestError invalid_criteria, invalid_request */
export function readFilters(
  type: AssetType,
  { criteria, fullTextSearch }: Pick<SearchParameters, 'criteria' | 'fullTextSearch'>,
): Pick<PageQuery, 'filter' | 'fullText'> {
  const { query: filter } = compileCriteria(criteria, type);
  const fullText = readFullText(fullTextSearch);
  if (!fullText.isBlank) checkClauseCount({ filter, fullText });
  return { filter, fullText };
}

/** Criteria and words each have a limit; both together may still exceed OpenSearch's. */
function checkClauseCount(query: Pick<PageQuery, 'filter' | 'fullText'>): void {
  if (clausesIn(searchQuery(query)) <= MAX_CLAUSES) return;
  const detail = 'has too many words to be searched for together with this many criteria; shorten either';
  throw invalidRequest([{ field: 'fullTextSearch', code: 'invalid_parameter', detail }]);
}

/**
 * The longest URL of a next page: a URL may have 16 KiB, but many clients accept no more for all headers of a
 * response, of which `Link` is one.
 */
export const MAX_NEXT_URL_BYTES = 15 * 1024;
/** Room for a cursor in the usual orders, with a name of 512 four-byte characters, encoded. */
const CURSOR_BYTES = 3 * 1024;

/**
 * Refuses a search whose next page would have too long a URL, also when there is no next page yet: the same search must
 * not start to fail when the library grows, or between two pages.
 */
function checkUrlLength(route: string, parameters: SearchPlan['parameters']): void {
  const max = MAX_NEXT_URL_BYTES - CURSOR_BYTES;
  const length = nextPageUrl(route, parameters).length;
  if (length <= max) return;
  throw uriTooLong(`The encoded URL takes ${length} bytes; at most ${max} leave space for the next page's cursor.`);
}

/** Returns where to read why a search finds nothing; undefined for a search of everything. */
export function hintsUrl(type: AssetType, { query, canonical, parameters }: SearchPlan): string | undefined {
  if (canonical === '*' && query.fullText.isBlank) return undefined;
  const { criteria = '', fullTextSearch = '' } = parameters;
  return nextPageUrl('/v1/assets/hints', { kind: KINDS[type], criteria, fullTextSearch });
}

/** The `Link` to the next page. @throws RequestError uri_too_long when long sort values make the cursor exceed its room */
export function linkToNext({ scope, parameters }: Pick<SearchPlan, 'scope' | 'parameters'>, cursor: string): string {
  const url = nextPageUrl(scope.route, { ...parameters, cursor });
  if (url.length <= MAX_NEXT_URL_BYTES) return nextLink(url);
  throw uriTooLong(`The next page's URL would take ${url.length} of ${MAX_NEXT_URL_BYTES} bytes.`);
}

function uriTooLong(what: string): RequestError {
  return new RequestError('uri_too_long', `${what} Shorten the criteria, or sort by fewer fields.`);
}
