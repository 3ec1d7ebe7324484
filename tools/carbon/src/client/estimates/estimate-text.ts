import type { Estimate } from '@carbon/client';
import { retirementLines } from '../offsets/offset-text.js';
import { factLines, moneyText, timeText } from '../printing/facts.js';
import type { Printer } from '../printing/printer.js';

/** An estimate for a person. */
export function estimateLines(estimate: Estimate, printer: Printer): readonly string[] {
  const facts = factLines(
    [
      ['estimate', estimate.id],
      ['kgCO2e', estimate.kgCO2e],
      ['credits', estimate.credits],
      ['cost', moneyText(estimate.cost, estimate.currency)],
      ['created', timeText(estimate.createdAt)],
      ['expires', timeText(estimate.expiresAt)],
    ],
    printer,
  );
  return [...facts, ...retirementLines(estimate.allocations, printer)];
}
