import type { Offset, OffsetFilter, OffsetStatus } from '@carbon/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { SubmitEvent } from 'react';
import { CsvButton } from '../page/csv-button.js';
import { type Column, EndlessTable } from '../page/endless-table.js';
import { useFormValues } from '../page/form-values.js';
import { dollarText, NONE, numberText, timeText, weightText } from '../page/format.js';
import { addressOf, Link, navigate, useAddress, ViewTitle } from '../page/location.js';
import { AssetName } from '../search/asset-name.js';
import { useSession } from '../session/session.js';
import { Status } from './status.js';

const STATUSES: readonly OffsetStatus[] = ['queued', 'processing', 'completed', 'failed'];
const LAST_DAY = '9999-12-31';
const CSV_COLUMNS = [
  ...['id', 'status', 'kgCO2e', 'credits', 'creditsMatched', 'cost', 'currency', 'estimateId', 'customerRef'],
  ...['createdAt', 'completedAt', 'failedAt', 'assets'],
];

const COLUMNS: readonly Column<Offset>[] = [
  {
    name: 'createdAt',
    title: 'Created',
    cell: ({ createdAt }) => <span className="whole">{timeText(createdAt)}</span>,
  },
  { name: 'status', title: 'Status', cell: ({ status }) => <Status status={status} /> },
  { name: 'kgCO2e', title: 'Weight', isNumber: true, cell: ({ kgCO2e }) => weightText(kgCO2e) },
  { name: 'cost', title: 'Cost', isNumber: true, cell: ({ cost }) => dollarText(cost) },
  {
    name: 'customerRef',
    title: 'Reference',
    cell: ({ customerRef }) => <span className="clamped">{customerRef ?? NONE}</span>,
  },
  { name: 'retirements', title: 'Assets', cell: retiredAssets },
  { name: 'id', title: 'Id', cell: ({ id }) => <Link href={addressOf(`offsets/${id}`)}>{id}</Link> },
];

/** The first asset by its name, and how many more there are. */
function retiredAssets({ retirements: [first, ...more] }: Offset) {
  if (first === undefined) return NONE;
  return (
    <>
      <AssetName id={first.asset} />
      {more.length > 0 && ` and ${more.length} more`}
    </>
  );
}

/** The offsets of the account, newest first. */
export function OffsetsView() {
  const { carbon, scopes } = useSession();
  const { query } = useAddress();
  const filter = filterOf(query);
  const offsets = useInfiniteQuery({
    queryKey: ['offsets', filter],
    queryFn: ({ pageParam: cursor, signal }) =>
      carbon.offsets.list({ ...filter, limit: 50, cursor }, { signal }).page(),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ cursor }) => cursor,
    staleTime: 0,
  });
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <>
      <ViewTitle>My offsets</ViewTitle>
      <FilterForm query={query} />
      <section className="results" aria-label="Offsets">
        <div className="tools">
          <p role="status" className="count">
            {offsets.data === undefined ? '' : shownText(offsets.data.pages, offsets.hasNextPage)}
          </p>
          <button type="button" onClick={() => void offsets.refetch()}>
            Refresh
          </button>
          <CsvButton
            key={query.toString()}
            file="offsets.csv"
            columns={CSV_COLUMNS}
            pages={(signal) => withAssets(carbon.offsets.list({ ...filter, limit: 100 }, { signal }).pages())}
          />
        </div>
        <EndlessTable
          caption="Offsets, newest first"
          columns={COLUMNS}
          query={offsets}
          keyOf={({ id }) => id}
          empty={
            <>
              <h2>{isFiltered ? 'No offsets match' : 'No offsets yet'}</h2>
              {isFiltered && <Link href={addressOf('offsets')}>Show all</Link>}
              {!isFiltered && scopes?.has('offsets:write') && <Link href={addressOf('offset')}>Offset emissions</Link>}
            </>
          }
        />
      </section>
    </>
  );
}

/** How many offsets are shown: the list has no total. */
function shownText(pages: readonly { readonly items: readonly Offset[] }[], hasMore: boolean): string {
  const count = pages.reduce((sum, { items }) => sum + items.length, 0);
  return `${numberText(count, count === 1 ? 'offset' : 'offsets')}${hasMore ? ' so far' : ''}`;
}

/** Pages for a file of rows, with the ids of the assets in a column. */
async function* withAssets(pages: AsyncIterable<{ readonly items: readonly Offset[] }>) {
  for await (const { items } of pages)
    yield { items: items.map((offset) => ({ ...offset, assets: offset.retirements.map(({ asset }) => asset) })) };
}

/** The filter in an address. A day is one of the reader's time zone; the last one is included. */
function filterOf(query: URLSearchParams): OffsetFilter {
  const status = STATUSES.find((one) => one === query.get('status'));
  const [customerRef, estimateId] = [query.get('customerRef'), query.get('estimateId')];
  const { from, to } = daysOf(query);
  return {
    ...(status !== undefined && { status }),
    ...(customerRef && { customerRef }),
    ...(estimateId && { estimateId }),
    ...(from && { createdFrom: dayStart(from, 0) }),
    // No time is later than the last day.
    ...(to && to < LAST_DAY && { createdTo: dayStart(to, 1) }),
  };
}

/** The days in an address, the earlier one first; what is no day is none. */
function daysOf(query: URLSearchParams): { readonly from: string; readonly to: string } {
  const [from = '', to = ''] = ['from', 'to']
    .map((name) => query.get(name) ?? '')
    .map((day) => (isDay(day) ? day : ''));
  return to !== '' && from > to ? { from: to, to: from } : { from, to };
}

/** Whether a text is a day of the calendar, such as `2026-11-30`. A browser reads `2026-11-31` and `2026` as days, too. */
function isDay(text: string): boolean {
  const time = new Date(`${text}T00:00Z`);
  return text.length === 10 && !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text);
}

function dayStart(day: string, later: number): string {
  const time = new Date(`${day}T00:00`);
  time.setDate(time.getDate() + later);
  return time.toISOString();
}

function FilterForm({ query }: { readonly query: URLSearchParams }) {
  const texts = ['status', 'customerRef', 'estimateId'].map((name) => [name, query.get(name) ?? ''] as const);
  const values: Readonly<Record<string, string>> = { ...Object.fromEntries(texts), ...daysOf(query) };
  const form = useFormValues(values);
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    // A reference is stored as it was typed, with its spaces.
    const fields = [...new FormData(event.currentTarget)].map(([name, value]) => {
      return [name, name === 'customerRef' ? String(value) : String(value).trim()];
    });
    const typed = new URLSearchParams(fields);
    navigate(addressOf('offsets', { ...Object.fromEntries(typed), ...daysOf(typed) }));
  };
  const text = (name: string, title: string, type = 'text') => (
    <div className="field">
      <label htmlFor={name}>{title}</label>
      <input id={name} name={name} type={type} defaultValue={values[name]} autoComplete="off" />
    </div>
  );
  return (
    <form ref={form} className="card filter-form" onSubmit={submit}>
      <div className="field">
        <label htmlFor="status">Status</label>
        <select id="status" name="status" defaultValue={values.status}>
          <option value="">any</option>
          {STATUSES.map((status) => (
            <option key={status}>{status}</option>
          ))}
        </select>
      </div>
      {text('customerRef', 'Reference (exact)')}
      {text('estimateId', 'Estimate')}
      {text('from', 'From', 'date')}
      {text('to', 'To', 'date')}
      <button type="submit">Filter</button>
    </form>
  );
}
