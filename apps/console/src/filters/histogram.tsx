import type { Facet } from '@carbon/client';
import type { KeyboardEvent } from 'react';
import { countText } from '../page/format.js';
import type { SearchState } from '../search/snippets.js';
import { boundsOf, overlaps } from './bounds.js';
import { PartLink } from './part-link.js';
import { type Part, partsOf } from './parts.js';
import { RangeForm } from './range-form.js';

interface Props {
  readonly title: string;
  readonly search: SearchState;
  readonly facet: Facet;
}

const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 };

/** Bars in order, each a link that narrows the search to it. Tab reaches the first bar; the arrow keys move between bars. */
export function Histogram({ title, search, facet }: Props) {
  const parts = partsOf(facet);
  const bounds = boundsOf(search.criteria, facet.field);
  const classesOf = ({ clause, isApart }: Part) =>
    [isApart && 'apart', overlaps(clause, facet.field, bounds) && 'within'].filter(Boolean).join(' ') || undefined;
  const most = Math.max(...parts.map(({ count }) => count));
  return (
    <section className="histogram" aria-label={`${title} of the ${search.kind} found`}>
      <h2>{title}</h2>
      <ol onKeyDown={moveFocus}>
        {parts.map((part, n) => (
          <li key={part.clause} className={classesOf(part)}>
            <PartLink search={search} clause={part.clause} tabIndex={n === 0 ? 0 : -1}>
              <span className="unseen">
                {part.label}: {countText(part.count, search.kind)}
              </span>
              <span aria-hidden="true">{part.count}</span>
              <span className="bar" style={{ height: `${(100 * part.count) / most}%` }} />
              <span aria-hidden="true">{part.short}</span>
            </PartLink>
          </li>
        ))}
      </ol>
      <RangeForm search={search} field={facet.field} title={title} isYear={facet.values !== undefined} />
    </section>
  );
}

function moveFocus(event: KeyboardEvent<HTMLOListElement>): void {
  const step = STEPS[event.key];
  const bars = [...event.currentTarget.querySelectorAll('a')];
  const next = bars[bars.indexOf(document.activeElement as HTMLAnchorElement) + (step ?? 0)];
  if (step === undefined || next === undefined) return;
  event.preventDefault();
  next.focus();
}
