/** One page of a list. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** Where the next page begins: `cursor` of the same list. Undefined on the last page. */
  readonly cursor: string | undefined;
}

/** One page of a search. */
export interface SearchPage<Item> extends Page<Item> {
  /** How many match in all. */
  readonly total: number;
  /** Names this answer, for `pageIfChanged`. */
  readonly etag: string | undefined;
}
