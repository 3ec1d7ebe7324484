import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { type Asset, assetSchema } from '@carbon/contracts';
import { fromRoot } from './processes.js';

const LINES_A_WRITE = 5_000;

/** Writes projects, one a line, in the format of `npm run assets -- publish`. */
export function writeLibrary(file: string, count: number): void {
  const out = openSync(file, 'w');
  let lines: string[] = [];
  const flush = () => {
    if (lines.length > 0) writeSync(out, `${lines.join('\n')}\n`);
    lines = [];
  };
  for (const project of projects(count)) {
    lines.push(JSON.stringify(project));
    if (lines.length === LINES_A_WRITE) flush();
  }
  flush();
  closeSync(out);
}

/** The starter library, one asset a line. */
export const STARTER_LIBRARY = fromRoot('infra/data/assets.ndjson');
const SEED = 20_261_121;

/**
 * Generates projects like those of the starter library: sources, countries, kinds, methodologies and the words of names
 * and descriptions have the same frequencies; ids, tickers, addresses, ratings, prices and supplies are new. The same
 * count always gives the same projects, and a larger count begins with the same ones.
 */
export function* projects(count: number): Generator<Asset> {
  const models = readFileSync(STARTER_LIBRARY, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => assetSchema.parse(JSON.parse(line)));
  const real = models.filter(({ type }) => type === 'PROJECT');
  const random = randomFrom(SEED);
  for (let n = 0; n < count; n += 1) {
    const [model, other] = [pick(real, random), pick(real, random)];
    yield project(n, model, other, random);
  }
}

function project(n: number, model: Asset, other: Asset, random: () => number): Asset {
  const number = String(n).padStart(7, '0');
  const years = (model.vintages ?? []).map((year) => year + Math.floor(random() * 3) - 1);
  const kind = model.registryId?.split('-')[0] ?? 'CDR';
  const registryId = `${kind}-${number}`;
  return {
    ...model,
    id: `proj_b${number}`,
    name: crossed(model.name, other.name),
    rating: Math.round(10 + random() * 40) / 10,
    // Never above its model's, because the most expensive is near the maximum.
    price: Math.round((model.price ?? 100) * (40 + random() * 60)) / 100,
    issued: Math.floor(random() * 1_000_000),
    active: random() < 0.97,
    ...(model.ticker && { ticker: `${registryId}-${2008 + Math.floor(random() * 16)}` }),
    ...(model.address && { address: address(random) }),
    ...(model.registryId && { registryId }),
    ...(model.description && { description: model.description.replaceAll(model.registryId ?? model.id, registryId) }),
    ...(years.length > 0 && { vintages: [...new Set(years)] }),
  };
}

/** Joins the first words of one name and the last of another, so that length and words are realistic. */
function crossed(first: string, last: string): string {
  const [head, tail] = [first.split(' '), last.split(' ')];
  return [...head.slice(0, Math.ceil(head.length / 2)), ...tail.slice(Math.floor(tail.length / 2))].join(' ');
}

function address(random: () => number): string {
  const part = () =>
    Math.floor(random() * 2 ** 32)
      .toString(16)
      .padStart(8, '0');
  return `0x${part()}${part()}${part()}${part()}${part()}`;
}

function pick<T>(from: readonly T[], random: () => number): T {
  const found = from[Math.floor(random() * from.length)];
  if (found === undefined) throw new RangeError('The list is empty.');
  return found;
}

/**
 * Returns numbers from 0 up to 1 that are the same for the same seed (mulberry32,
 * https://github.com/bryc/code/blob/master/jshash/PRNGs.md).
 */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
