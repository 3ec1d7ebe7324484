import { InvalidCursorError } from '@carbon/client';
import { type ReactNode, useEffect, useRef } from 'react';
import { Problem } from './problem.js';

/** A column of a table. */
export interface Column<Row> {
  readonly name: string;
  readonly title: string;
  readonly isNumber?: boolean;
  readonly sortable?: boolean;
  readonly cell: (row: Row) => ReactNode;
}

/** A list that is read page by page, as of `useInfiniteQuery`. */
export interface EndlessQuery<Row extends object> {
  readonly data: { readonly pages: readonly { readonly items: readonly Row[] }[] } | undefined;
  readonly error: Error | null;
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly isFetching: boolean;
  fetchNextPage(): unknown;
  refetch(): unknown;
}

interface TableProps<Row> {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string;
  /** The column of the order, `-` before it for descending. */
  readonly sort?: string | undefined;
  readonly onSort?: ((sort: string) => void) | undefined;
}

interface Props<Row extends object> extends TableProps<Row> {
  readonly query: EndlessQuery<Row>;
  readonly empty: ReactNode;
}

/** A table that reads its next page when its end comes into view, or when its button is pressed. */
export function EndlessTable<Row extends object>({ caption, columns, query, keyOf, empty, sort, onSort }: Props<Row>) {
  const rows = query.data?.pages.flatMap(({ items }) => items) ?? [];
  const isFirst = query.data === undefined;
  if (isFirst && query.error !== null) return <Problem error={query.error} retry={query.refetch} />;
  if (!isFirst && rows.length === 0) return <div className="empty">{empty}</div>;
  return (
    <>
      <Table
        {...{ caption, columns, keyOf, sort, onSort }}
        rows={isFirst ? undefined : rows}
        isBusy={query.isFetching}
      />
      {!isFirst && <NextPage query={query} />}
    </>
  );
}

/** A table of rows; without them, of places where they will be. */
export function Table<Row>({
  caption,
  columns,
  rows,
  keyOf,
  sort = '',
  onSort,
  isBusy,
}: TableProps<Row> & { readonly rows: readonly Row[] | undefined; readonly isBusy?: boolean }) {
  return (
    <div className="table-frame" aria-busy={isBusy}>
      <table>
        <caption className="unseen">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <HeadCell key={column.name} column={column} sort={sort} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows?.map((row) => <DataRow key={keyOf(row)} row={row} columns={columns} />) ??
            PLACES.map((place) => <WaitingRow key={place} columns={columns} />)}
        </tbody>
      </table>
    </div>
  );
}

const PLACES = ['1', '2', '3', '4', '5', '6'];

function HeadCell<Row>({
  column,
  sort,
  onSort,
}: {
  readonly column: Column<Row>;
  readonly sort: string;
  readonly onSort: ((sort: string) => void) | undefined;
}) {
  const { name, title, isNumber, sortable } = column;
  const className = isNumber ? 'number' : undefined;
  if (!sortable || onSort === undefined) {
    return (
      <th scope="col" className={className}>
        {title}
      </th>
    );
  }
  const order = sort === name ? 'ascending' : sort === `-${name}` ? 'descending' : 'none';
  const following = { none: name, ascending: `-${name}`, descending: '' }[order];
  return (
    <th scope="col" className={className} aria-sort={order}>
      <button type="button" className="sort" onClick={() => onSort(following)}>
        {title}
        <span aria-hidden="true">{{ none: '↕', ascending: '↑', descending: '↓' }[order]}</span>
      </button>
    </th>
  );
}

function DataRow<Row>({ row, columns }: { readonly row: Row; readonly columns: readonly Column<Row>[] }) {
  return (
    <tr>
      {columns.map(({ name, title, isNumber, cell }) => (
        <td key={name} data-title={title} className={isNumber ? 'number' : undefined}>
          {cell(row)}
        </td>
      ))}
    </tr>
  );
}

function WaitingRow<Row>({ columns }: { readonly columns: readonly Column<Row>[] }) {
  return (
    <tr className="waiting">
      {columns.map(({ name }) => (
        <td key={name}>
          <span />
        </td>
      ))}
    </tr>
  );
}

function NextPage<Row extends object>({ query }: { readonly query: EndlessQuery<Row> }) {
  const end = useRef<HTMLDivElement>(null);
  const { hasNextPage, isFetching, isFetchingNextPage, error, fetchNextPage } = query;
  // Not during a refresh: reading the next page would cancel it.
  const reads = hasNextPage && !isFetching && error === null;
  const isOrderChanged = error instanceof InvalidCursorError;
  useEffect(() => {
    if (!reads || end.current === null) return;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) fetchNextPage();
      },
      { rootMargin: '400px' },
    );
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [reads, fetchNextPage]);
  if (error !== null)
    return <Problem error={error} retry={hasNextPage && !isOrderChanged ? fetchNextPage : query.refetch} />;
  return (
    <div ref={end} className="next-page">
      {hasNextPage && (
        // Not disabled, which would take the focus away.
        <button type="button" onClick={() => reads && fetchNextPage()} aria-disabled={isFetching}>
          {isFetchingNextPage ? 'Loading …' : 'Load more'}
        </button>
      )}
    </div>
  );
}
