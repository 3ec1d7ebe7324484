import { type SubmitEvent, useEffect, useId, useRef } from 'react';
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
  const form = useRef<HTMLFormElement>(null);
  const bounds = boundsOf(search.criteria, field);
  const { from, to } = bounds;
  // Another search shows its own bounds.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the bounds are what is reset to
  useEffect(() => form.current?.reset(), [from, to]);
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const typed = { from: String(data.get('from')).trim(), to: String(data.get('to')).trim() };
    if (typed.from === from && typed.to === to) return;
    navigate(addressOf('', queryOfSearch({ ...search, criteria: bounded(search.criteria, field, typed) })));
  };
  return (
    <form ref={form} className="range" aria-label={`Range of ${title}`} onSubmit={submit}>
      <Bound name="from" bounds={bounds} />
      <Bound name="to" bounds={bounds} />
      <button type="submit">Apply</button>
    </form>
  );
}

/** A text, because a browser drops the comma of `3,5` from a number. */
function Bound({ name, bounds }: { readonly name: keyof BoundsText; readonly bounds: BoundsText }) {
  const id = useId();
  return (
    <>
      <label htmlFor={id}>{name}</label>
      <input
        id={id}
        name={name}
        inputMode="decimal"
        pattern={String.raw`\s*-?\d+(\.\d+)?\s*`}
        title="a number, with a point before its decimals"
        autoComplete="off"
        defaultValue={bounds[name]}
      />
    </>
  );
}
