import type { AssetType } from '@carbon/contracts';
import { z } from 'zod';
import { aliasOf, type Generation, generationOf, indexKey, type PerType, TYPES } from './generation.js';

/** That another generation has taken a generation's place. It holds while the turn is the same: who is chosen again is out. */
export interface Retirement {
  readonly turn: number;
  /** When that was seen. */
  readonly at: Date;
}

/**
 * The alias that keeps a retirement at the generation's indices. Not in `_meta`, which is always written as a whole: what
 * a process writes of a generation that it saw a while ago would undo what a person has chosen since.
 */
export function retirementAlias(prefix: string, { turn, at }: Retirement): string {
  return `${prefix}retired-${turn}-${at.getTime()}`;
}

/** What the aliases of an index say of retirements; other aliases say nothing. */
export function retirementsOf(prefix: string, aliases: readonly string[]): Retirement[] {
  return aliases
    .filter((alias) => alias.startsWith(prefix))
    .flatMap((alias) => {
      const [, turn, at] = /^retired-([0-9]{1,10})-([0-9]{1,15})$/.exec(alias.slice(prefix.length)) ?? [];
      return turn === undefined ? [] : [{ turn: Number(turn), at: new Date(Number(at)) }];
    });
}

/** What a generation was begun for; see `reasonTopicChanged`. */
const topicMark = z.object({
  cluster: z.string(),
  /** Not in generations of before topics were told by their ids, until the next look. */
  topicId: z.string().optional(),
  /** By partition. Decimal: JSON has no whole numbers of that size. */
  ends: z.array(z.string().regex(/^[0-9]+$/)),
});

/** What is kept in the `_meta` of each of a generation's indices. */
export const generationMeta = z.object({
  /** Of the mapping; see MAPPING_REVISION. */
  revision: z.int(),
  /** Its place in the order of generations, where that is not its number: it was chosen again later. */
  turn: z.int().optional(),
  /** The highest revision over which a person has put it. */
  over: z.int().optional(),
  topic: topicMark.optional(),
});

export type GenerationMeta = z.output<typeof generationMeta>;
export type TopicMark = z.output<typeof topicMark>;

/** The answer to `GET /<indices>`: what of it says how things stand. */
export const indexList = z.record(
  z.string(),
  z.object({
    aliases: z.record(z.string(), z.unknown()).default({}),
    mappings: z.object({ _meta: generationMeta.optional() }).default({}),
    settings: z.object({ index: z.object({ uuid: z.string(), creation_date: z.coerce.number() }) }),
  }),
);

type Index = z.output<typeof indexList>[string];

/** A generation as it stands in OpenSearch. */
export interface StoredGeneration extends Generation {
  readonly meta: GenerationMeta;
  /** The types whose index is there: only one while it is being made, or when the other was lost. */
  readonly has: readonly AssetType[];
  /** The types whose alias stands for it. */
  readonly liveFor: readonly AssetType[];
  /** That its place was taken, for each turn in which it was. */
  readonly retirements: readonly Retirement[];
  readonly createdAt: Date;
}

/** How the library stands in OpenSearch at one moment. */
export interface LibraryState {
  readonly generations: readonly StoredGeneration[];
  /** Indices that an alias of the library stands for though they are none of it, by alias. */
  readonly strangers: PerType<readonly string[]>;
}

/** Reads the state from the list of all indices that have the library's names or aliases. */
export function libraryState(prefix: string, found: z.output<typeof indexList>): LibraryState {
  const names = new Set<string>();
  for (const index of Object.keys(found)) {
    const key = indexKey(prefix, index);
    if (key) names.add(`${key.hash}-${key.number}`);
  }
  return {
    generations: [...names].map((name) => storedGeneration(prefix, name, found)),
    strangers: { POOL: strangers(prefix, 'POOL', found), PROJECT: strangers(prefix, 'PROJECT', found) },
  };
}

function storedGeneration(prefix: string, name: string, found: z.output<typeof indexList>): StoredGeneration {
  const [hash = '', number] = name.split('-');
  const key = { hash, number: Number(number) };
  const { indices } = generationOf(prefix, key, { POOL: '', PROJECT: '' });
  const of = (type: AssetType): Index | undefined => found[indices[type]];
  const has = TYPES.filter((type) => of(type));
  const present = has.flatMap((type) => of(type) ?? []);
  const uuid = (type: AssetType) => of(type)?.settings.index.uuid ?? '';
  return {
    ...generationOf(prefix, key, { POOL: uuid('POOL'), PROJECT: uuid('PROJECT') }),
    meta: present.find(({ mappings }) => mappings._meta)?.mappings._meta ?? { revision: 0 },
    has,
    liveFor: has.filter((type) => aliasOf(prefix, type) in (of(type)?.aliases ?? {})),
    retirements: present.flatMap(({ aliases }) => retirementsOf(prefix, Object.keys(aliases))),
    createdAt: new Date(Math.min(...present.map(({ settings }) => settings.index.creation_date))),
  };
}

function strangers(prefix: string, type: AssetType, found: z.output<typeof indexList>): string[] {
  return Object.entries(found)
    .filter(([index, { aliases }]) => aliasOf(prefix, type) in aliases && indexKey(prefix, index)?.type !== type)
    .map(([index]) => index);
}
