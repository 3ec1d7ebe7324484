import { type SubmitEvent, useId } from 'react';
import { addressOf, navigate } from '../page/location.js';
import { queryOfSearch } from '../search/search-assets.js';
import type { SearchState } from '../search/snippets.js';
import { type BoundsText, bounded, boundsOf } from './bounds.js';

interface Props {
  readonly search: SearchState;
  readonly field: string;
  readonly title: string;
}

/** Narrows a search to a range of a field, in place of the range that it has; without bounds, to every value. */
export function RangeForm({ search, field, title }: Props) {
  const bounds = boundsOf(search.criteria, field);
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const typed = { from: String(data.get('from')), to: String(data.get('to')) };
    navigate(addressOf('', queryOfSearch({ ...search, criteria: bounded(search.criteria, field, typed) })));
  };
  // Another search shows its own bounds.
  return (
    <form className="range" aria-label={`Range of ${title}`} onSubmit={submit} key={`${bounds.from} ${bounds.to}`}>
      <Bound name="from" bounds={bounds} />
      <Bound name="to" bounds={bounds} />
      <button type="submit">Apply</button>
    </form>
  );
}

function Bound({ name, bounds }: { readonly name: keyof BoundsText; readonly bounds: BoundsText }) {
  const id = useId();
  return (
    <>
      <label htmlFor={id}>{name}</label>
      <input id={id} name={name} type="number" step="any" defaultValue={bounds[name]} />
    </>
  );
}
