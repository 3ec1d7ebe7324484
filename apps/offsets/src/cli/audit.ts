import { RULES, type Rule } from './rules.js';
import type { Ask } from './snapshot.js';

/** The result of an audit, in sentences. */
export interface Findings {
  /** The first violations of each rule, and how many more there are. */
  readonly violations: string[];
  readonly warnings: string[];
  /** All violations of all rules. */
  readonly violationCount: number;
}

/** Findings of one rule that are shown; the others are counted. */
const MAX_SHOWN = 20;

/** Checks the database against every rule. */
export async function audit(ask: Ask, rules: readonly Rule[] = RULES): Promise<Findings> {
  const [violations, warnings]: [string[], string[]] = [[], []];
  let violationCount = 0;
  for (const rule of rules) {
    const { shown, total } = await findingsOf(ask, rule);
    (rule.warning ? warnings : violations).push(...shown);
    if (!rule.warning) violationCount += total;
  }
  return { violations, warnings, violationCount };
}

async function findingsOf(ask: Ask, { sql }: Rule): Promise<{ readonly shown: string[]; readonly total: number }> {
  const rows = await ask<{ finding: string; total: string }>(
    `SELECT finding, count(*) OVER () AS total FROM (${sql}) AS broken (finding) ORDER BY finding LIMIT ${MAX_SHOWN}`,
  );
  const total = Number(rows[0]?.total ?? 0);
  const more = total - rows.length;
  const shown = rows.map(({ finding }) => finding);
  return { shown: more > 0 ? [...shown, `… and ${more} more like the last`] : shown, total };
}

/** Returns what the audit covered, in one line. */
export async function summary(ask: Ask): Promise<string> {
  const [row] = await ask<{ offsets: string; gaps: string; entries: string; grams: string }>(
    `SELECT (SELECT count(*) FROM offsets) AS offsets, (SELECT count(*) FROM ledger_gaps) AS gaps, count(*) AS entries,
       coalesce(sum(grams), 0) AS grams FROM ledger`,
  );
  const gaps = row?.gaps === '0' ? '' : `, ${row?.gaps} gaps`;
  return `${row?.offsets} offsets, ${row?.entries} ledger entries${gaps}, ${row?.grams} g retired`;
}
