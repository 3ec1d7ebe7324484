import { z } from 'zod';
import type { Bench } from '../bench.js';
import { rowOf } from '../figures/row.js';
import { Worker } from '../processes/worker.js';
import { alternate } from '../rounds.js';
import { fromRoot } from '../stage/checkout.js';
import { indexByCatalog } from './index-by-catalog.js';
import { OpenSearchProbe } from './open-search.js';

const BASELINE = fromRoot('bench/dist/baselines/bulk-helper.js');
const GOAL = { atLeast: 0.9 } as const;

const report = z.object({ seconds: z.number().positive(), documents: z.int() });

/** Assets from the topic into a new generation of indices, beside the client's bulk helper from memory. */
export const benchIndex: Bench = async (options, openStage) => {
  const stage = await openStage();
  const topic = stage.freshPrefix();
  const probe = new OpenSearchProbe(stage.engines.opensearchUrl);
  const helper = new Worker(BASELINE);
  options.tell(`index: publishing ${options.assets} assets`);
  await stage.makeTopics(topic);
  await stage.fillTopic(topic);
  let model: { readonly prefix: string; readonly index: string } | undefined;
  const ours = async () => {
    options.tell(`index: ${options.assets} assets by the catalog`);
    const { perSecond, prefix } = await indexByCatalog(stage, topic, probe, options);
    // The first one stays: the baseline takes its documents and its mapping from there.
    if (model === undefined) model = { prefix, index: (await probe.shape(`${prefix}projects-*`)).name };
    else await stage.clear(prefix);
    return perSecond;
  };
  const baseline = async () => {
    if (model === undefined) throw new Error('The catalog goes first.');
    options.tell(`index: ${options.assets} assets by the bulk helper`);
    const prefix = stage.freshPrefix();
    const index = `${prefix}projects`;
    await probe.make(index, await probe.shape(model.index));
    const question = { node: stage.engines.opensearchUrl, documentsFrom: model.index, index };
    const { seconds, documents } = await helper.ask(question, report);
    if (documents !== options.assets) throw new Error(`The bulk helper wrote ${documents} documents.`);
    await stage.clear(prefix);
    return documents / seconds;
  };
  try {
    await alternate({ ours, baseline }, 1);
    const found = await alternate({ ours, baseline }, options.rounds);
    const what = `index ${options.assets.toLocaleString('en-US')} assets from the topic`;
    const row = rowOf({
      bench: 'index',
      what,
      unit: 'assets/s',
      against: 'bulk helper from memory',
      goal: GOAL,
      ...found,
    });
    return { rows: [row], notes: NOTES };
  } finally {
    await helper.end();
    await stage.clear(topic);
    if (model !== undefined) await stage.clear(model.prefix);
  }
};

const NOTES = [
  'Index: from the first documents written until all of them can be searched. The baseline writes the same documents, as text in memory, into an index of the same mapping that refreshes only at the end.',
];
