import { readFileSync } from 'node:fs';
import { type Asset, assetSchema } from '@carbon/contracts';
import { fromRoot } from '../stage/checkout.js';
import { randomFrom } from './random.js';

/** The library that comes with the checkout, one asset a line. */
export const STARTER_LIBRARY = fromRoot('infra/data/assets.ndjson');
const SEED = 20_261_121;

/**
 * So many projects, each like one of the starter library: sources, countries, kinds, methodologies and the words of names
 * and descriptions are as common as there; ids, tickers, addresses, ratings, prices and supplies are its own. The same
 * count always gives the same projects, and more of them begin with the same ones.
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
    // Never above its model's: the dearest is near the most that is allowed.
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

/** The first words of one name and the last of another: as long as names are, of the words that names have. */
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
  if (found === undefined) throw new RangeError('There is nothing to pick from.');
  return found;
}
