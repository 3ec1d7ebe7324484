import type { Offset, QueuedOffset, Retirement } from '@carbon/client';
import type { Column } from '@carbon/terminal';
import { ageText, type Fact, factLines, moneyText, timeText } from '../printing/facts.js';
import type { Printer } from '../printing/printer.js';
import { tableLines } from '../printing/table-lines.js';

/** The columns of a list of offsets. @param now Unix milliseconds, which ages are counted to */
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
  { title: 'ADDRESS', of: ({ address }) => address, rank: 2 },
];

/** What of each asset is retired, or priced to be, as a table below what it belongs to. */
export function retirementLines(retirements: readonly Retirement[], printer: Printer): readonly string[] {
  const lines = tableLines(RETIREMENT_COLUMNS, retirements, printer);
  return lines.length === 0 ? [] : ['', ...lines];
}

/** An offset for a person. */
export function offsetLines(offset: Offset | QueuedOffset, printer: Printer): readonly string[] {
  if (!('kgCO2e' in offset)) return factLines(headOf(offset), printer);
  const { credits, creditsMatched, cost, currency, failure } = offset;
  const facts: readonly Fact[] = [
    ...headOf(offset),
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
  return [...factLines(facts, printer), ...retirementLines(offset.retirements, printer)];
}

function headOf({ id, status }: Offset | QueuedOffset): readonly Fact[] {
  return [
    ['offset', id],
    ['status', status],
  ];
}
