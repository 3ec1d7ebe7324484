import type { Screen } from '@carbon/terminal';
import { nameOf } from '../letter/place.js';
import { oneLine } from '../letter/readable.js';
import type { Outcome } from './replay-letters.js';

const LONGEST_DETAIL = 400;

/** Tells what became of each letter as it becomes so, and counts. */
export class Account {
  private readonly counts = { sent: 0, 'would be sent': 0, unchanged: 0, refused: 0 };

  constructor(
    private readonly write: (line: string) => void,
    private readonly progress: Screen,
    private readonly json: boolean,
  ) {}

  get refused(): number {
    return this.counts.refused;
  }

  add(outcome: Outcome): void {
    this.counts[outcome.outcome] += 1;
    this.write(this.json ? asJson(outcome) : asText(outcome));
    const { refused, ...others } = this.counts;
    const done = Object.values(others).reduce((sum, count) => sum + count, refused);
    this.progress.show(`went through ${done.toLocaleString('en-US')} letters`);
  }

  /** `sent 3, unchanged 1, refused 2`, or what would be. */
  summary(dryRun: boolean): string {
    const { sent, unchanged, refused } = this.counts;
    const first = dryRun ? `would be sent ${this.counts['would be sent']}` : `sent ${sent}`;
    return `${first}, unchanged ${unchanged}, refused ${refused}`;
  }
}

function asJson(outcome: Outcome): string {
  const { place } = outcome;
  if (outcome.outcome !== 'refused') return JSON.stringify({ place: nameOf(place), outcome: outcome.outcome });
  const { code, detail } = outcome;
  return JSON.stringify({ place: nameOf(place), outcome: 'refused', code, detail });
}

function asText(outcome: Outcome): string {
  const { place } = outcome;
  if (outcome.outcome === 'unchanged') return `${nameOf(place)}  unchanged: the library says this already`;
  if (outcome.outcome !== 'refused') return `${nameOf(place)}  ${outcome.outcome}`;
  const force = outcome.canBeForced ? ' (--force sends it all the same)' : '';
  return `${nameOf(place)}  refused: ${oneLine(outcome.detail, LONGEST_DETAIL)}${force}`;
}
