import type { LibraryTopic } from './library/library-topic.js';

/** What became of the ids that were to be withdrawn. */
export interface Withdrawal {
  readonly withdrawn: readonly string[];
  /** Not in the library: never were, or withdrawn before. */
  readonly unknown: readonly string[];
}

/** Publishes a tombstone for every id that the library holds. The others are left alone and told. */
export async function withdrawAssets(
  library: Pick<LibraryTopic, 'read' | 'publish'>,
  ids: readonly string[],
): Promise<Withdrawal> {
  const wanted = new Set(ids);
  const held = new Set<string>();
  await library.read(({ id, value }) => {
    if (!wanted.has(id)) return;
    if (value === null) held.delete(id);
    else held.add(id);
  });
  const withdrawn = [...wanted].filter((id) => held.has(id));
  await library.publish(withdrawn.map((id) => ({ id, json: null })));
  return { withdrawn, unknown: [...wanted].filter((id) => !held.has(id)) };
}
