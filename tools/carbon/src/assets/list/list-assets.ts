import type { Output } from '@carbon/terminal';
import type { LibraryTopic } from '../library/library-topic.js';
import { SortedRuns } from './sorted-runs.js';

/** Prints every asset of the library, one a line, by id. @returns how many messages of the topic were no assets */
export async function listAssets(library: Pick<LibraryTopic, 'read'>, output: Output): Promise<number> {
  await using runs = new SortedRuns();
  let unfit = 0;
  await library.read(async ({ id, asset, fit }) => {
    // Readers of the library pass over what is no asset, so what the id was before still counts.
    if (fit) await runs.put(id, asset === undefined ? '' : JSON.stringify(asset));
    else unfit += 1;
  });
  for await (const json of runs.sorted()) await output.line(json);
  await output.flush();
  return unfit;
}
