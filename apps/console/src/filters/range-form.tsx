import { type SubmitEvent, useId, useLayoutEffect } from 'react';
import { showValues, useFormValues } from '../page/form-values.js';
import { addressOf, navigate } from '../page/location.js';
import { queryOfSearch } from '../search/search-assets.js';
import type { SearchState } from '../search/snippets.js';
import { type BoundsText, bounded, boundsOf } from './bounds.js';

interface Props {
  readonly search: SearchState;
  readonly field: string;
  readonly title: string;
  /** Whether the field holds years; otherwise it holds numbers with decimals. */
  readonly isYear: boolean;
}

/** What a bound may be, in words and as a pattern; `1,234` could be a thousand or one. */
const YEAR = { pattern: String.raw`\s*\d{4}\s*`, title: 'a year, such as 2018' };
const NUMBER = {
  pattern: String.raw`\s*-?(?![1-9]\d{0,2},\d{3}\s*$)\d+([.,]\d+)?\s*`,
  title: 'a number without a unit and without thousands separators, such as 2.5',
};

/** Narrows a search to a range of a field, in place of the range that it has; without bounds, to every value. */
export function RangeForm({ search, field, title, isYear }: Props) {
  const bounds = boundsOf(search.criteria, field);
  const form = useFormValues({ ...bounds });
  useLayoutEffect(() => {
    const shown = form.current;
    // A range that finds nothing takes the filters away.
    return () => void (shown?.contains(document.activeElement) && document.getElementById('results')?.focus());
  }, [form]);
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const [from = '', to = ''] = ['from', 'to'].map((name) => String(data.get(name)).trim().replace(',', '.'));
    if (from === bounds.from && to === bounds.to) return;
    const criteria = bounded(search.criteria, field, { from, to });
    showValues(event.currentTarget, { ...boundsOf(criteria, field) });
    navigate(addressOf('', queryOfSearch({ ...search, criteria })));
  };
  return (
    <form ref={form} className="range" aria-label={`Range of ${title}`} onSubmit={submit}>
      <Bound name="from" bounds={bounds} isYear={isYear} />
      <Bound name="to" bounds={bounds} isYear={isYear} />
      <button type="submit">Apply</button>
    </form>
  );
}

interface BoundProps {
  readonly name: keyof BoundsText;
  readonly bounds: BoundsText;
  readonly isYear: boolean;
}

/** A text, because a browser drops the comma of `3,5` from a number. */
function Bound({ name, bounds, isYear }: BoundProps) {
  const id = useId();
  return (
    <>
      <label htmlFor={id}>{name}</label>
      <input
        id={id}
        name={name}
        inputMode={isYear ? 'numeric' : 'decimal'}
        {...(isYear ? YEAR : NUMBER)}
        autoComplete="off"
        defaultValue={bounds[name]}
      />
    </>
  );
}
