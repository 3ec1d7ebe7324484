import { assetSchema } from '@carbon/contracts';
import { kafkaConnection } from '@carbon/messaging';
import { Output, Screen, WrongUsage } from '@carbon/terminal';
import { openInput } from './input/open-input.js';
import { LibraryTopic } from './library/library-topic.js';
import { listAssets } from './list/list-assets.js';
import { PublishFile, type PublishOptions } from './publish/publish-file.js';
import { readSettings } from './settings.js';
import { findAsset } from './show-asset.js';
import { withdrawAssets } from './withdraw-assets.js';

// Each command returns its exit code; what they print is for people on standard error, for programs on standard output.

/** Publishes the assets of a file, `-` for standard input. */
export async function publish(path: string, options: PublishOptions): Promise<number> {
  await using input = await openInput(path);
  await using library = openLibrary();
  return await new PublishFile(library, new Screen(process.stderr)).run(input, options);
}

/** Withdraws assets; 1 when the library does not hold one of them. */
export async function withdraw(ids: readonly string[]): Promise<number> {
  for (const id of ids) requireAssetId(id);
  await using library = openLibrary();
  const { withdrawn, unknown } = await withdrawAssets(library, ids);
  for (const id of unknown) say(`${id} is not in the library`);
  say(`withdrawn ${withdrawn.length}, unknown ${unknown.length}`);
  return unknown.length > 0 ? 1 : 0;
}

/** Prints every asset as a line of JSON, by id. */
export async function list(): Promise<number> {
  await using library = openLibrary();
  const unfit = await listAssets(library, new Output(process.stdout));
  if (unfit > 0) say(`${unfit} messages of the topic are not assets and are left out`);
  return 0;
}

/** Prints one asset; 1 when the library does not hold it. */
export async function show(id: string): Promise<number> {
  requireAssetId(id);
  await using library = openLibrary();
  const asset = await findAsset(library, id);
  if (asset) process.stdout.write(`${JSON.stringify(asset, undefined, 2)}\n`);
  else say(`${id} is not in the library`);
  return asset ? 0 : 1;
}

function openLibrary(): LibraryTopic {
  const settings = readSettings();
  return new LibraryTopic(kafkaConnection(settings), { withinMs: settings.ENGINE_WAIT_MS, say });
}

function requireAssetId(id: string): void {
  if (assetSchema.shape.id.safeParse(id).success) return;
  throw new WrongUsage(`${JSON.stringify(id)} is not an asset's id: those are pool_… or proj_…, of a-z 0-9 _ -`);
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
