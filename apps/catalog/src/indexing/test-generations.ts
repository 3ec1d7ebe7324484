import { generationOf } from './generation.js';
import type { LibraryState, Standing } from './library-state.js';

/** What of a standing generation a test says; the rest is as if nothing had happened to it. */
export type Told = Partial<Pick<Standing, 'has' | 'liveFor'>> &
  Partial<Standing['meta']> & { readonly retiredAt?: string };

/** Both types. */
export const BOTH = ['POOL', 'PROJECT'] as const;

/** A generation as it may stand in OpenSearch, by a name such as `aaaaaaaa-1`. */
export function standing(name: string, { has = BOTH, liveFor = [], retiredAt, ...meta }: Told = {}): Standing {
  const [hash = '', number] = name.split('-');
  return {
    ...generationOf('', { hash, number: Number(number) }, { POOL: `${name} pools`, PROJECT: `${name} projects` }),
    meta: { revision: 1, ...meta },
    has,
    liveFor,
    retirements: retiredAt === undefined ? [] : [{ turn: meta.turn ?? Number(number), at: new Date(retiredAt) }],
    createdAt: new Date(0),
  };
}

/** The library made of these. */
export function stateOf(...generations: readonly Standing[]): LibraryState {
  return { generations, strangers: { POOL: [], PROJECT: [] } };
}
