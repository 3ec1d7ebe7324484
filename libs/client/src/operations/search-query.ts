import type { Criteria } from '../criteria/criteria.js';
import type { SortableField } from '../generated/asset-fields.js';
import type { AssetField, AssetKind, Shown, ShownFirst } from '../types.js';

/** A name to order by, with a `-` before it for the other way round. */
export type SortKey<Of extends AssetKind> = `${'' | '-'}${SortableField & AssetField<Of>}`;

/** What is searched for. */
export interface SearchQuery<Of extends AssetKind, Show extends Shown<Of> = ShownFirst<Of>> {
  /** Built by `where`, or written; nothing filters nothing. */
  readonly criteria?: Criteria<Of> | string | undefined;
  /** Words as a person types them, and `"phrases"`; at most 256 characters. */
  readonly text?: string | undefined;
  /** The most important first; by relevance or rating unless given. */
  readonly sort?: SortKey<Of> | readonly SortKey<Of>[] | undefined;
  /** What to show of each asset; `['*']` is all it has. */
  readonly fields?: readonly Show[] | undefined;
  /** How many on a page: 1 to 100, 25 unless given. */
  readonly limit?: number | undefined;
  /** Where an earlier walk of the same search is taken up again. */
  readonly cursor?: string | undefined;
}
