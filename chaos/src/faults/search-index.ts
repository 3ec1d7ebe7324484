import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LIBRARY } from '@carbon/local';
import type { Fault, FaultContext } from '../fault.js';
import type { Asset } from '../load/search-load.js';
import type { ChaosSystem } from '../system/chaos-system.js';

const BLOCKED_MS = 4_000;
const POLL_MS = 50;
const PUBLISHED_EVERY_MS = 500;
/** After one node shows an asset, all nodes and processes must show it, except for the cache time (docs/search.md). */
const SHOWN_EVERYWHERE_MS = 3_000;
/** Queries the first search node directly. */
async function ask({ engines }: ChaosSystem, method: string, path: string, body?: unknown): Promise<unknown> {
  const response = await fetch(`${engines.search.urls[0]}${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(30_000),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

/** The indices of the live aliases are deleted: searches must respond with 503 until they are rebuilt. */
async function deleteIndex({ system }: FaultContext): Promise<void> {
  const aliases = (await ask(system, 'GET', '/_alias')) as Record<string, { aliases: object }>;
  const live = Object.entries(aliases).filter(
    ([name, { aliases }]) => name.startsWith(`${system.name}-`) && Object.keys(aliases).length > 0,
  );
  for (const [name] of live) await ask(system, 'DELETE', `/${name}`);
}

/** OpenSearch refuses writes as with a full disk, while every asset is published again. */
async function floodStage({ system, pause }: FaultContext): Promise<void> {
  const block = (on: true | null) =>
    ask(system, 'PUT', `/${system.name}-*/_settings`, { 'index.blocks.read_only_allow_delete': on });
  await block(true);
  try {
    await system.command(['assets', 'publish', LIBRARY, '--force']);
    await pause(BLOCKED_MS);
  } finally {
    await block(null);
  }
}

/** Assets are published during a reindex: an asset that was found once must be found from then on. */
async function publishDuringRebuild({ system, search, random, pause }: FaultContext): Promise<void> {
  const [template = ''] = readFileSync(LIBRARY, 'utf8').split('\n', 1);
  const file = join(system.apps.running.dir, 'published.ndjson');
  const published: { readonly asset: Asset; readonly shownAt: number }[] = [];
  const { catalogs, searchNodes } = system.shape;
  const everywhereMs = catalogs * searchNodes > 1 ? SHOWN_EVERYWHERE_MS : 0;
  let [rebuilding, looks] = [true, 0];
  const rebuild = system.command(['catalog', 'rebuild']).finally(() => {
    rebuilding = false;
  });
  // Its error is thrown at the end; until then it must not end the process.
  rebuild.catch(() => {});
  const watch = async (until: number) => {
    for (; performance.now() < until; await pause(POLL_MS)) {
      const shown = published.filter(({ shownAt }) => shownAt < performance.now());
      const next = shown[looks % shown.length];
      looks += 1;
      if (next !== undefined) await search.look(next.asset);
    }
  };
  while (rebuilding) {
    const asset = { ...JSON.parse(template), id: `pool_chaos_${random.whole(0, 2 ** 31)}`, ticker: undefined };
    writeFileSync(file, `${JSON.stringify(asset)}\n`);
    await system.command(['assets', 'publish', file]);
    while ((await search.search(asset)) !== true) await pause(POLL_MS);
    published.push({ asset, shownAt: performance.now() + everywhereMs });
    await watch(performance.now() + PUBLISHED_EVERY_MS);
  }
  await rebuild;
  await watch(performance.now() + everywhereMs);
  for (const { asset } of published) {
    while ((await search.search(asset)) === undefined) await pause(POLL_MS);
    await search.look(asset);
  }
}

/** Failures of the search index. */
export const faults: readonly Fault[] = [
  {
    name: 'delete-index',
    does: 'the indices that searches go to are deleted',
    times: { ci: 1, full: 2 },
    inject: deleteIndex,
  },
  {
    name: 'flood-stage',
    does: 'OpenSearch refuses writes as at a full disk, while assets are published',
    times: { ci: 1, full: 2 },
    inject: floodStage,
  },
  {
    name: 'rebuild-index',
    does: 'npm run catalog -- rebuild under load',
    times: { smoke: 1, ci: 1, full: 2 },
    inject: async ({ system }) => {
      await system.command(['catalog', 'rebuild']);
    },
  },
  {
    name: 'publish-during-rebuild',
    does: 'assets are published while npm run catalog -- rebuild runs',
    times: { ci: 1, full: 2 },
    inject: publishDuringRebuild,
  },
];
