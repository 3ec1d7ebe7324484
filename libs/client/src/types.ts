import type { components, operations } from './generated/api.js';
import type { ResultField } from './generated/asset-fields.js';

type Schemas = components['schemas'];

/** What may be left out may be undefined as well: it is not sent then. */
type Given<T> = { readonly [Name in keyof T]: undefined extends T[Name] ? T[Name] | undefined : T[Name] };

/** What an offset is made of. */
export type NewOffset = Given<Schemas['NewOffset']>;
/** A recorded offset. */
export type Offset = Schemas['Offset'];
/** An offset that was accepted and is not recorded yet. */
export type QueuedOffset = Schemas['QueuedOffset'];
/** Nothing leaves `completed` or `failed`. */
export type OffsetStatus = Offset['status'];
/** What was retired of one asset, or is priced to be. Credits are tonnes; price and cost are US dollars. */
export type Retirement = Schemas['Retirement'];
/** What an estimate is made of. */
export type NewEstimate = Given<Schemas['NewEstimate']>;
/** A price held for one offset of the same weight. */
export type Estimate = Schemas['Estimate'];
/** What the ledger holds of one offset; no entries until it is completed. */
export type Receipt = Schemas['Receipt'];
/** One entry of the ledger. */
export type ReceiptEntry = Schemas['ReceiptEntry'];
/** What can be asked of pools and of projects. */
export type LibrarySchema = Schemas['LibrarySchema'];
/** The fields of one kind of asset, and what stands in them. */
export type DescribedKind = Schemas['KindSchema'];
/** A field that criteria may name, and what stands in it. */
export type DescribedField = Schemas['FieldSchema'];

/** An offset whose credits are retired. */
export type CompletedOffset = Offset &
  Required<Pick<Offset, 'cost' | 'currency' | 'completedAt'>> & { readonly status: 'completed' };

/** An offset that retired nothing. Treat a `failure.code` that you do not know as a failure. */
export type FailedOffset = Offset & Required<Pick<Offset, 'failure' | 'failedAt'>> & { readonly status: 'failed' };

/** What became of an accepted offset: it is durable, and worked on after that. */
export interface AcceptedOffset {
  readonly id: string;
  readonly message: string;
  /** Whether it had been accepted before, under the same idempotency key. */
  readonly replayed: boolean;
  /** The key it was sent under: the one given, else the one made for it. */
  readonly idempotencyKey: string;
}

type ListQuery = Omit<NonNullable<operations['readOffsets']['parameters']['query']>, 'id'>;
type Time = 'createdFrom' | 'createdTo';

/** Which offsets are listed, and how; all that is given must hold. */
export type OffsetFilter = Given<Omit<ListQuery, Time> & { readonly [Name in Time]?: ListQuery[Name] | Date }>;

/** The kinds of asset, with everything that one of each may have. What is unknown is absent, never null. */
export interface AssetKinds {
  readonly pools: Schemas['Pool'];
  readonly projects: Schemas['Project'];
}

/** What every asset has. */
type Always = 'id' | 'name' | 'source';
/** An asset with all that it has. */
type Whole<Of extends AssetKind> = AssetKinds[Of] & Required<Pick<AssetKinds[Of], Always>>;

/** A kind of asset. */
export type AssetKind = keyof AssetKinds;
/** A name of a field that an asset of this kind may have. */
export type AssetField<Of extends AssetKind> = keyof AssetKinds[Of];
/** What may be asked to be shown: fields by name, or `*` alone for all that an asset has. */
export type Shown<Of extends AssetKind> = AssetField<Of> | '*';
/** What is shown unless something else is asked for. */
export type ShownFirst<Of extends AssetKind> = AssetField<Of> & ResultField;
/** A found asset with the fields that were asked for; of these its id, name and source are never absent. */
export type Asset<Of extends AssetKind, Show extends Shown<Of> = ShownFirst<Of>> = '*' extends Show
  ? Whole<Of>
  : Pick<Whole<Of>, Exclude<Show, '*'>>;
