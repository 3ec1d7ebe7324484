import type { Asset } from '@carbon/contracts';
import type { LibraryTopic } from './library/library-topic.js';

/** The asset as the library holds it; undefined when it never did, or when the asset is withdrawn. */
export async function findAsset(library: Pick<LibraryTopic, 'read'>, wanted: string): Promise<Asset | undefined> {
  let found: Asset | undefined;
  await library.read(({ id, asset, fit }) => {
    if (id === wanted && fit) found = asset;
  });
  return found;
}
