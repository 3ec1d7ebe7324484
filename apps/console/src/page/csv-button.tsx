import { useEffect, useRef, useState } from 'react';
import { csvOf } from './csv.js';
import { download } from './download.js';
import { Problem } from './problem.js';

/** The rows of an export at most; a longer one is a task for the command line. */
const MAX_ROWS = 10_000;

type Row = Readonly<Record<string, unknown>>;

interface Props {
  readonly file: string;
  readonly columns: readonly string[];
  /** Reads a list page by page. */
  readonly pages: (signal: AbortSignal) => AsyncIterable<{ readonly items: readonly Row[] }>;
}

/** Reads all pages of a list, and saves them as a CSV file. */
export function CsvButton({ file, columns, pages }: Props) {
  const [count, setCount] = useState<number>();
  const [note, setNote] = useState('');
  const [error, setError] = useState<Error>();
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  async function save(): Promise<void> {
    const controller = new AbortController();
    running.current = controller;
    setError(undefined);
    setNote('');
    setCount(0);
    try {
      const rows: Row[] = [];
      for await (const { items } of pages(controller.signal)) {
        rows.push(...items);
        setCount(rows.length);
        if (rows.length > MAX_ROWS) break;
      }
      // Without the schema the columns are unknown.
      const names = columns.length > 0 ? columns : [...new Set(rows.flatMap((row) => Object.keys(row)))];
      download(file, csvOf(names, rows.slice(0, MAX_ROWS)), 'text/csv');
      const isCut = rows.length > MAX_ROWS;
      setNote(isCut ? `Saved the first ${MAX_ROWS} rows; the command line reads all.` : `Saved ${rows.length} rows.`);
    } catch (reason) {
      if (!controller.signal.aborted) setError(reason instanceof Error ? reason : new Error(String(reason)));
    } finally {
      setCount(undefined);
    }
  }

  return (
    <>
      {count === undefined ? (
        <button type="button" onClick={() => void save()}>
          Save as CSV
        </button>
      ) : (
        <button type="button" onClick={() => running.current?.abort()}>
          Stop ({count} rows)
        </button>
      )}
      <span role="status" className="note">
        {note}
      </span>
      {error !== undefined && <Problem error={error} />}
    </>
  );
}
