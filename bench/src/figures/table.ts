import type { Comparison, Goal, Row } from './row.js';
import type { Spread } from './spread.js';

const HEAD = ['bench', 'what', 'ours', 'baseline', 'compared', 'goal', 'met'];

/** How the table is to be read. */
export const LEGEND =
  'Compared: ours ÷ baseline (×), or ours − baseline (+), within each round, then the median. Of rates (/s) more is better, of everything else less.';

/** The rows as a Markdown table: medians, and the least and the most of all rounds in brackets. */
export function tableOf(rows: readonly Row[]): string {
  const lines = [HEAD, HEAD.map(() => '---'), ...rows.map(cellsOf)];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function cellsOf(row: Row): string[] {
  const { bench, what, against, ours, baseline, compared, comparison, unit, goal, met } = row;
  return [
    bench,
    what,
    `${withSpread(ours, figure)} ${unit}`,
    baseline === undefined ? '–' : `${withSpread(baseline, figure)} ${unit}, ${against}`,
    baseline === undefined ? '–' : withSpread(compared, (value) => comparedText(value, comparison, unit)),
    goal === undefined ? '–' : goalText(goal, comparison, unit),
    met === undefined ? '–' : met ? 'yes' : 'no',
  ].map((cell) => cell.replaceAll('|', '\\|'));
}

function withSpread({ median, min, max }: Spread, text: (value: number) => string): string {
  return `${text(median)} (${text(min)} … ${text(max)})`;
}

function comparedText(value: number, comparison: Comparison, unit: string): string {
  if (comparison === 'ratio') return `${figure(value)} ×`;
  if (comparison === 'none') return `${figure(value)} ${unit}`;
  return `${value < 0 ? '−' : '+'}${figure(Math.abs(value))} ${unit}`;
}

function goalText(goal: Goal, comparison: Comparison, unit: string): string {
  const [sign, value] = 'atLeast' in goal ? ['≥', goal.atLeast] : ['≤', goal.atMost];
  return `${sign} ${comparedText(value, comparison, unit)}`;
}

/** Three digits that count, and no more: the spread shows that the rest would be noise. */
export function figure(value: number): string {
  const digits = Number(value.toPrecision(3));
  return digits.toLocaleString('en-US', { maximumSignificantDigits: 3, useGrouping: 'min2' });
}
