import type { components, operations } from './generated/api.js';
import type { ResultField } from './generated/asset-fields.js';

type Schemas = components['schemas'];

/** Optional members may be undefined. */
type AllowUndefined<T> = { readonly [Name in keyof T]: undefined extends T[Name] ? T[Name] | undefined : T[Name] };

/** The body of a request for an offset. */
export type NewOffset = AllowUndefined<Schemas['NewOffset']>;
/** A recorded offset. */
export type Offset = Schemas['Offset'];
/** An accepted offset that is not recorded yet. */
export type QueuedOffset = Schemas['QueuedOffset'];
/** `completed` and `failed` are final. */
export type OffsetStatus = Offset['status'];
/** The credits of one asset that are retired, or priced. Credits are tonnes; price and cost are US dollars. */
export type Retirement = Schemas['Retirement'];
/** The body of a request for an estimate. */
export type NewEstimate = AllowUndefined<Schemas['NewEstimate']>;
/** A price for one offset of the same weight. */
export type Estimate = Schemas['Estimate'];
/** The ledger entries of one offset; none until it is completed. */
export type Receipt = Schemas['Receipt'];
/** One entry of the ledger. */
export type ReceiptEntry = Schemas['ReceiptEntry'];
/** The fields of pools and projects. */
export type LibrarySchema = Schemas['LibrarySchema'];
/** The fields of one kind of asset. */
export type DescribedKind = Schemas['KindSchema'];
/** A field with its operators and values. */
export type DescribedField = Schemas['FieldSchema'];
/** Why a search finds nothing. */
export type SearchHints = Schemas['SearchHints'];
/** The assets that a search finds, counted by their fields. */
export type Facets = Schemas['Facets'];
/** What may stand at a caret in criteria. */
export type Completion = Schemas['Completion'];
/** One field of {@link Facets}: its values or intervals, each with the clause of criteria that finds it. */
export type Facet = Schemas['Facet'];
/** One clause of a search, with the number of assets that match it alone. */
export type ClauseHint = Schemas['ClauseHint'];

/** An offset whose credits are retired. */
export type CompletedOffset = Offset &
  Required<Pick<Offset, 'cost' | 'currency' | 'completedAt'>> & { readonly status: 'completed' };

/** An offset that retired nothing. Treat a `failure.code` that you do not know as a failure. */
export type FailedOffset = Offset & Required<Pick<Offset, 'failure' | 'failedAt'>> & { readonly status: 'failed' };

/** An accepted offset: durable, and processed later. */
export interface AcceptedOffset {
  readonly id: string;
  readonly message: string;
  /** Whether it was accepted before with the same idempotency key. */
  readonly replayed: boolean;
  /** Why the offset failed, if it was accepted before and has failed. Also absent if the reason could not be read. */
  readonly failure?: FailedOffset['failure'] | undefined;
  /** The idempotency key: the caller's, else a random one. */
  readonly idempotencyKey: string;
}

type ListQuery = Omit<NonNullable<operations['readOffsets']['parameters']['query']>, 'id'>;
type Time = 'createdFrom' | 'createdTo';

/** The filters and page size of a list of offsets; all filters must match. */
export type OffsetFilter = AllowUndefined<Omit<ListQuery, Time> & { readonly [Name in Time]?: ListQuery[Name] | Date }>;

/** The members of each kind of asset. A member without a value is absent, never null. */
export interface AssetKinds {
  readonly pools: Schemas['Pool'];
  readonly projects: Schemas['Project'];
}

/** The members of every asset. */
type Always = 'id' | 'name' | 'source';
/** An asset with all its members. */
type Whole<Of extends AssetKind> = AssetKinds[Of] & Required<Pick<AssetKinds[Of], Always>>;

/** A kind of asset. */
export type AssetKind = keyof AssetKinds;
/** The name of a field of this kind of asset. */
export type AssetField<Of extends AssetKind> = keyof AssetKinds[Of];
/** A field to return, or `*` alone for all. */
export type Shown<Of extends AssetKind> = AssetField<Of> | '*';
/** The default fields. */
export type ShownFirst<Of extends AssetKind> = AssetField<Of> & ResultField;
/** A found asset with the requested fields; id, name and source are never absent. */
export type Asset<Of extends AssetKind, Show extends Shown<Of> = ShownFirst<Of>> = '*' extends Show
  ? Whole<Of>
  : Pick<Whole<Of>, Exclude<Show, '*'>>;
