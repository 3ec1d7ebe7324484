import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import type { Machine } from './machine.js';
import type { Row } from './row.js';

/** What one bench has found. */
export interface Findings {
  readonly rows: readonly Row[];
  /** Sentences on how it was measured, and what the rows do not show. */
  readonly notes: readonly string[];
}

/** The same with when and where. */
export interface Taken extends Findings {
  readonly at: string;
  readonly machine: Machine;
  readonly rounds: number;
}

const file = z.object({ benches: z.record(z.string(), z.unknown()) });

/** Writes what one bench has found into the file; what others have found stays in it. */
export function keepResults(path: string, bench: string, taken: Taken): void {
  const benches = existsSync(path) ? file.parse(JSON.parse(readFileSync(path, 'utf8'))).benches : {};
  const text = JSON.stringify({ benches: { ...benches, [bench]: taken } }, null, 2);
  mkdirSync(dirname(path), { recursive: true });
  // Whole or not at all: a run may be ended at any time.
  writeFileSync(`${path}.new`, `${text}\n`);
  renameSync(`${path}.new`, path);
}
