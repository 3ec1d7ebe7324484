import { RULES, type Rule } from './rules.js';
import type { Query } from './snapshot.js';

/** The result of an audit, in sentences. */
export interface AuditResult {
  /** The first violations of each rule, and how many more there are. */
  readonly violations: string[];
  readonly warnings: string[];
  /** All violations of all rules. */
  readonly violationCount: number;
}

/** Violations of one rule that are shown; the others are counted. */
const MAX_SHOWN = 20;

/** Checks the database against every rule. */
export async function audit(query: Query, rules: readonly Rule[] = RULES): Promise<AuditResult> {
  const [violations, warnings]: [string[], string[]] = [[], []];
  let violationCount = 0;
  for (const rule of rules) {
    const { shown, total } = await findingsOf(query, rule);
    (rule.warning ? warnings : violations).push(...shown);
    if (!rule.warning) violationCount += total;
  }
  return { violations, warnings, violationCount };
}

async function findingsOf(query: Query, { sql }: Rule): Promise<{ readonly shown: string[]; readonly total: number }> {
  const rows = await query<{ finding: string; total: string }>(
    `SELECT finding, count(*) OVER () AS total FROM (${sql}) AS broken (finding) ORDER BY finding LIMIT ${MAX_SHOWN}`,
  );
  const total = Number(rows[0]?.total ?? 0);
  const more = total - rows.length;
  const shown = rows.map(({ finding }) => finding);
  return { shown: more > 0 ? [...shown, `… and ${more} more like the last`] : shown, total };
}

/** What a check covered: numbers as decimal text. */
export interface Coverage {
  readonly entries: string;
  readonly offsets?: string;
  readonly gaps?: string;
  /** Grams that are retired. */
  readonly grams?: string;
}

/** Returns what the audit covered. */
export async function coverage(query: Query): Promise<Coverage> {
  const [row] = await query<Required<Coverage>>(
    `SELECT (SELECT count(*) FROM offsets) AS offsets, count(*) AS entries, (SELECT count(*) FROM ledger_gaps) AS gaps,
       coalesce(sum(grams), 0) AS grams FROM ledger`,
  );
  return row ?? { entries: '0' };
}

/** Returns what a check covered, in one line. */
export function coverageText({ offsets, entries, gaps = '0', grams }: Coverage): string {
  return [
    ...(offsets === undefined ? [] : [`${offsets} offsets`]),
    `${entries} ledger entries`,
    ...(gaps === '0' ? [] : [`${gaps} gaps`]),
    ...(grams === undefined ? [] : [`${grams} g retired`]),
  ].join(', ');
}
