import type { AnchorHTMLAttributes } from 'react';
import { addressOf, Link } from '../page/location.js';
import { queryOfSearch } from '../search/search-assets.js';
import type { SearchState } from '../search/snippets.js';
import { hasClause, toggled } from './clauses.js';

interface Props extends AnchorHTMLAttributes<HTMLAnchorElement> {
  readonly search: SearchState;
  readonly clause: string;
}

/** A link to a search with a clause as a further condition; where it is one already, to the search without it. */
export function PartLink({ search, clause, ...rest }: Props) {
  const { criteria } = search;
  const href = addressOf('', queryOfSearch({ ...search, criteria: toggled(criteria, clause) }));
  return <Link href={href} aria-current={hasClause(criteria, clause) || undefined} {...rest} />;
}
