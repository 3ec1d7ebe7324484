import type { Facet } from '@carbon/client';
import { Fragment, type ReactNode, useId, useState } from 'react';
import { numberText } from '../page/format.js';
import type { SearchState } from '../search/snippets.js';
import { PartLink } from './part-link.js';
import { partsOf, titleOf } from './parts.js';

/** The parts shown at first. */
const FIRST = 6;

interface Props {
  readonly search: SearchState;
  readonly facet: Facet;
  readonly isOpen: boolean;
  /** Shown above the parts. */
  readonly children?: ReactNode;
}

/** The values of a field in the search results, with their counts. Each is a link that narrows the search to it. */
export function FacetList({ search, facet, isOpen, children }: Props) {
  const [showsAll, setShowsAll] = useState(false);
  const list = useId();
  const parts = partsOf(facet);
  const shown = showsAll ? parts : parts.slice(0, FIRST);
  return (
    <details className="facet" open={isOpen}>
      <summary>{titleOf(facet.field)}</summary>
      {children}
      <ul id={list}>
        {shown.map(({ label, count, clause }) => (
          <li key={clause}>
            <PartLink search={search} clause={clause}>
              <span>{withLineBreaks(label)}</span> <span className="number">{numberText(count)}</span>
            </PartLink>
          </li>
        ))}
      </ul>
      {parts.length > FIRST && (
        <button type="button" aria-expanded={showsAll} aria-controls={list} onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? 'Show fewer' : `Show all ${parts.length}`}
        </button>
      )}
      {facet.hasMore && showsAll && (
        <p className="note">There are more values. To find one, type it into the criteria.</p>
      )}
    </details>
  );
}

/** Allows a line break after each underscore of a name such as `INTERNATIONAL_REGISTRY`. */
function withLineBreaks(label: string): ReactNode {
  return label.split(/(?<=_)/).map((piece, n) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a label never change their order
    <Fragment key={n}>
      {n > 0 && <wbr />}
      {piece}
    </Fragment>
  ));
}
