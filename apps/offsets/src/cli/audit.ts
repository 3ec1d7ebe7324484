import { RULES, type Rule } from './rules.js';
import type { Ask } from './snapshot.js';

/** What was found: sentences for people. */
export interface Findings {
  readonly faults: string[];
  readonly warnings: string[];
}

/** Findings shown of one rule; the rest is counted. */
const SHOWN = 20;

/** Holds the database against every rule. */
export async function audit(ask: Ask, rules: readonly Rule[] = RULES): Promise<Findings> {
  const findings: Findings = { faults: [], warnings: [] };
  for (const rule of rules) (rule.warning ? findings.warnings : findings.faults).push(...(await broken(ask, rule)));
  return findings;
}

async function broken(ask: Ask, { sql }: Rule): Promise<string[]> {
  const rows = await ask<{ finding: string; total: string }>(
    `SELECT finding, count(*) OVER () AS total FROM (${sql}) AS broken (finding) ORDER BY finding LIMIT ${SHOWN}`,
  );
  const more = Number(rows[0]?.total ?? 0) - rows.length;
  return [...rows.map(({ finding }) => finding), ...(more > 0 ? [`… and ${more} more like the last`] : [])];
}

/** What the audit covered, in one line. */
export async function summary(ask: Ask): Promise<string> {
  const [row] = await ask<{ offsets: string; gaps: string; entries: string; grams: string }>(
    `SELECT (SELECT count(*) FROM offsets) AS offsets, (SELECT count(*) FROM ledger_gaps) AS gaps, count(*) AS entries,
       coalesce(sum(grams), 0) AS grams FROM ledger`,
  );
  const gaps = row?.gaps === '0' ? '' : `, ${row?.gaps} gaps`;
  return `${row?.offsets} offsets, ${row?.entries} ledger entries${gaps}, ${row?.grams} g retired`;
}
