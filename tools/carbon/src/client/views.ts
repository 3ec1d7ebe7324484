import type { Estimate, Offset, QueuedOffset, Receipt, ReceiptEntry, Retirement } from '@carbon/client';
import type { Column, TerminalOutput } from '@carbon/terminal';
import { ageText, type Fact, factLines, moneyText, timeText } from './format.js';

/** Returns the columns of a list of offsets. @param now Unix milliseconds, for ages */
export function offsetColumns(now: () => number = Date.now): readonly Column<Offset>[] {
  return [
    { title: 'ID', of: ({ id }) => id },
    { title: 'STATUS', of: ({ status }) => status },
    { title: 'KG CO2E', of: ({ kgCO2e }) => kgCO2e, align: 'right', rank: 1 },
    { title: 'COST USD', of: ({ cost }) => cost, align: 'right', rank: 4 },
    { title: 'AGE', of: ({ createdAt }) => ageText(createdAt, now()), align: 'right', rank: 5 },
    { title: 'REF', of: ({ customerRef }) => customerRef, least: 8, rank: 3 },
    { title: 'FAILURE', of: ({ failure }) => failure?.code, least: 8, rank: 2 },
  ];
}

const RETIREMENT_COLUMNS: readonly Column<Retirement>[] = [
  { title: 'ASSET', of: ({ asset }) => asset },
  { title: 'TICKER', of: ({ ticker }) => ticker, rank: 1 },
  { title: 'CREDITS', of: ({ credits }) => credits, align: 'right' },
  { title: 'PRICE', of: ({ price }) => price, align: 'right' },
  { title: 'COST USD', of: ({ cost }) => cost, align: 'right' },
  { title: 'VINTAGES', of: vintagesText, rank: 2 },
  { title: 'ADDRESS', of: ({ address }) => address, rank: 3 },
];

const RECEIPT_COLUMNS: readonly Column<ReceiptEntry>[] = [
  { title: 'ASSET', of: ({ asset }) => asset },
  { title: 'SEQUENCE', of: ({ sequence }) => sequence, align: 'right' },
  { title: 'CREDITS', of: ({ credits }) => credits, align: 'right' },
  { title: 'PRICE', of: ({ price }) => price, align: 'right' },
  { title: 'VINTAGES', of: vintagesText, rank: 3 },
  { title: 'AT', of: ({ at }) => timeText(at), rank: 2 },
  { title: 'HASH', of: ({ hash }) => hash, least: 13 },
  { title: 'REFERENCE', of: ({ reference }) => reference, least: 10, rank: 1 },
];

/** Returns an offset as facts, with a table of its retirements. */
export function offsetLines(offset: Offset | QueuedOffset, output: TerminalOutput): readonly string[] {
  const head: readonly Fact[] = [
    ['offset', offset.id],
    ['status', offset.status],
  ];
  if (!('kgCO2e' in offset)) return factLines(head, output);
  const { credits, creditsMatched, cost, currency, failure } = offset;
  const facts: readonly Fact[] = [
    ...head,
    ['failure', failure && `${failure.code}: ${failure.detail}`],
    ['kgCO2e', offset.kgCO2e],
    ['credits', `${creditsMatched} of ${credits} retired`],
    ['cost', moneyText(cost, currency)],
    ['estimate', offset.estimateId],
    ['reference', offset.customerRef],
    ['created', timeText(offset.createdAt)],
    ['completed', timeText(offset.completedAt)],
    ['failed', timeText(offset.failedAt)],
  ];
  return withTable(factLines(facts, output), output.tableLines(offset.retirements, RETIREMENT_COLUMNS));
}

/** Returns an estimate as facts, with a table of its allocations. */
export function estimateLines(estimate: Estimate, output: TerminalOutput): readonly string[] {
  const facts: readonly Fact[] = [
    ['estimate', estimate.id],
    ['kgCO2e', estimate.kgCO2e],
    ['credits', estimate.credits],
    ['cost', moneyText(estimate.cost, estimate.currency)],
    ['created', timeText(estimate.createdAt)],
    ['expires', timeText(estimate.expiresAt)],
    ['used by', estimate.usedBy],
  ];
  return withTable(factLines(facts, output), output.tableLines(estimate.allocations, RETIREMENT_COLUMNS));
}

/** Returns a receipt as a table of ledger entries. */
export function receiptLines({ offset, status, entries }: Receipt, output: TerminalOutput): readonly string[] {
  const facts: readonly Fact[] = [
    ['offset', offset],
    ['status', status],
  ];
  return withTable(factLines(facts, output), output.tableLines(entries, RECEIPT_COLUMNS));
}

function vintagesText({ vintages }: Pick<Retirement, 'vintages'>): string | undefined {
  return vintages?.join(' ');
}

function withTable(lines: readonly string[], table: readonly string[]): readonly string[] {
  return table.length === 0 ? lines : [...lines, '', ...table];
}
