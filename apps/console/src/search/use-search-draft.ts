import { useEffect, useRef, useState } from 'react';
import { addressOf, navigate, useAddress } from '../page/location.js';
import { queryOfSearch, searchOf } from './search-assets.js';
import type { SearchState } from './snippets.js';

/** The pause after the last key before the search starts. */
const PAUSE_MS = 350;

/** A search as it is typed, and as it is in the address. */
export interface SearchDraft {
  readonly draft: SearchState;
  readonly search: SearchState;
  /** Searches after a pause, in the same entry of the history. */
  edit(change: Partial<SearchState>): void;
  /** Searches at once, in a new entry of the history unless the pause has searched for the same already. */
  submit(change?: Partial<SearchState>): void;
}

/** Returns the search of the view. Its state is the address, which follows the typed text. */
export function useSearchDraft(): SearchDraft {
  const { query } = useAddress();
  const address = query.toString();
  const search = searchOf(query);
  const [draft, setDraft] = useState(search);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const shown = useRef(address);
  useEffect(() => {
    // A link or the Back button changed the address, not this hook. A pending search is cancelled too.
    if (address !== shown.current) {
      clearTimeout(timer.current);
      setDraft(searchOf(new URLSearchParams(address)));
    }
    shown.current = address;
  }, [address]);
  useEffect(() => () => clearTimeout(timer.current), []);

  const show = (next: SearchState, replace: boolean) => {
    clearTimeout(timer.current);
    const target = addressOf('', queryOfSearch(next));
    shown.current = new URL(target, location.href).searchParams.toString();
    if (target !== location.pathname + location.search) navigate(target, { replace });
  };
  return {
    draft,
    search,
    edit: (change) => {
      const next = { ...draft, ...change };
      setDraft(next);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => show(next, true), PAUSE_MS);
    },
    submit: (change = {}) => {
      const next = { ...draft, ...change };
      setDraft(next);
      show(next, false);
    },
  };
}
