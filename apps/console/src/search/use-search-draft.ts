import { useEffect, useRef, useState } from 'react';
import { addressOf, navigate, useAddress } from '../page/location.js';
import { queryOfSearch, searchOf } from './search-assets.js';
import type { SearchState } from './snippets.js';

/** After so long without a key, what is typed is searched. */
const PAUSE_MS = 350;

/** A search as it is typed, and as it is in the address. */
export interface SearchDraft {
  readonly draft: SearchState;
  readonly search: SearchState;
  /** Searches after a pause, in the same entry of the history. */
  edit(change: Partial<SearchState>): void;
  /** Searches at once, in an entry of its own. */
  submit(change?: Partial<SearchState>): void;
}

/** The search of the view: its state is the address, which follows what is typed. */
export function useSearchDraft(): SearchDraft {
  const { query } = useAddress();
  const address = query.toString();
  const search = searchOf(query);
  const [draft, setDraft] = useState(search);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const shown = useRef(address);
  useEffect(() => {
    // A link or the way back, not our own change. It also ends what waits to be searched.
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
