import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Asset, assetSchema, MAX_ISSUED_CREDITS } from '@carbon/contracts';
import { TransientError } from '@carbon/http';
import type { Message } from '@carbon/messaging';
import { freshPrefix } from '@carbon/testing';
import { Logger } from '@nestjs/common';
import fc from 'fast-check';
import { generationOf } from '../index/generation.js';
import { mappingHash } from '../index/mapping.js';
import { OpenSearch } from '../open-search/open-search.js';
import { recordOf, TestIndices } from '../testing/indices.js';
import { asset } from '../testing/library.js';
import { type Operation, operationOf } from './asset-operation.js';
import { BulkWriter, IndexGoneError } from './bulk-writer.js';

const ASSETS = 2_000;

/**
 * Characters that grow when they are composed or folded, that are not letters, or that are at a boundary of Unicode.
 */
const RARE = [
  ...['\u0344', '\u1d160', '\u{1d160}', '\ufb2c', '\u0301', '\u0300\u0316', '\u200d', '\ufeff', '\u{10ffff}', '\uffff'],
  ...['👨‍👩‍👧', '\u2028', '\u00ad', '\u1100\u1161'],
  ...'🌳ﷺ㍿ßİ…‗"\\/ ½₂한',
];
const character = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...RARE) },
  fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }).filter((one) => !/\p{Cc}/u.test(one)),
  fc.constantFrom(...'aZ09 -_.'),
);
/** Short values, and values of the maximum length, of one character. */
const text = (longest: number) =>
  fc.oneof(
    fc.array(character, { minLength: 1, maxLength: 12 }).map((characters) => characters.join('')),
    character.map((one) => one.repeat(Math.floor(longest / [...one].length))),
  );
const number = (edges: readonly number[], others: fc.Arbitrary<number>) => fc.oneof(fc.constantFrom(...edges), others);
const millionths = (most: number) =>
  fc.double({ min: 0, max: most, noNaN: true }).map((value) => Number(value.toFixed(6)));
const two = (most: number) => fc.nat(most).map((value) => String(value).padStart(2, '0'));
const listedAt = fc
  .tuple(
    fc.constantFrom('0000', '0001', '1582', '1970', '2024', '9999'),
    fc.constantFrom('-01-01', '-02-28', '-12-31', '-06-30'),
    fc.constantFrom('T00:00:00', 'T23:59:59', 'T12:00:00.1', 'T23:59:59.999999999', 'T00:00:00.1234567891'),
    fc.oneof(
      fc.constantFrom('Z', '+00:00', '-00:00', '+14:00', '-18:00', '+18:00', '+18:01', '-23:59', '+23:59'),
      fc.tuple(fc.constantFrom('+', '-'), two(23), fc.constant(':'), two(59)).map((parts) => parts.join('')),
    ),
  )
  .map((parts) => parts.join(''));

const INT32 = [-2_147_483_648, 2_147_483_647, 0, -0, 1e9];
const DOUBLES = [0, -0, 5e-324, -5e-324, 1e308, -1.7976931348623157e308, 2 ** 53 + 2];
const candidate = fc.record(
  {
    name: text(512),
    source: fc.stringMatching(/^[A-Z][A-Z0-9_]{0,255}$/),
    ticker: text(256),
    address: fc.stringMatching(/^0x[0-9a-fA-F]{1,64}$/),
    description: text(10_000),
    rating: number(DOUBLES, fc.double({ noNaN: true, noDefaultInfinity: true })),
    price: number([0, -0, 0.000001, 1_000_000, 999_999.999999], millionths(1_000_000)),
    issued: number([0, -0, 0.000001, MAX_ISSUED_CREDITS], millionths(MAX_ISSUED_CREDITS)),
    active: fc.boolean(),
    chain: text(256),
    registry: text(256),
    registryId: text(256),
    country: text(256),
    region: text(256),
    categories: fc.array(text(256), { maxLength: 5 }),
    methodologies: fc.array(text(256), { maxLength: 5 }),
    vintages: fc.array(number(INT32, fc.integer({ min: INT32[0], max: INT32[1] })), { maxLength: 100 }),
    sdgs: fc.array(fc.integer({ min: 1, max: 17 }), { maxLength: 5 }),
    listedAt,
  },
  { requiredKeys: ['name', 'source'] },
);

describe('BulkWriter', () => {
  const target = new TestIndices(freshPrefix());
  const key = { hash: mappingHash(), number: 1 };
  const generation = generationOf(target.prefix, key, { POOL: '', PROJECT: '' });
  const { indices, writeAliases } = generation;
  const writer = new BulkWriter(target.openSearch, 20_000);

  beforeAll(async () => {
    Logger.overrideLogger(false);
    await target.library.createIndices(recordOf(1));
    await target.library.addWriteAliases(generation);
  });
  afterAll(() => target.close());

  function operation(key: string, value: Asset | null, position: bigint): Operation {
    const made = operationOf({ key, value, position } as Message<Asset>, writeAliases, new Date().toISOString());
    if (!('lines' in made)) throw new Error(made.detail);
    return made;
  }
  const put = (id: string, name: string, position: bigint) => operation(id, asset(id, { name }), position);
  const nameOf = async (id: string) => {
    const { docs } = await target.ask('POST', `/${indices.POOL}/_mget`, { ids: [id] });
    return (docs as { _source?: Asset }[])[0]?._source?.name;
  };

  it('converges whatever is redelivered, late or reordered', async () => {
    const versions = ['one', 'two', 'three'].map((name, place) => put('pool_a', name, BigInt(place)));
    const [one, two, three] = versions as [Operation, Operation, Operation];
    for (const batch of [[], [two], [one], [one, two, three], [two, one], [three, three]]) {
      expect(await writer.write(batch)).toEqual([]);
    }
    expect(await nameOf('pool_a')).toBe('three');
  });

  it('does not restore an asset that a newer message withdrew, and ignores a late withdrawal of a newer one', async () => {
    expect(await writer.write([put('pool_b', 'there', 5n), operation('pool_b', null, 9n)])).toEqual([]);
    expect(await writer.write([put('pool_b', 'late', 8n)])).toEqual([]);
    expect(await nameOf('pool_b')).toBeUndefined();
    expect(await writer.write([put('pool_b', 'new', 20n)])).toEqual([]);
    expect(await writer.write([operation('pool_b', null, 19n)])).toEqual([]);
    expect(await nameOf('pool_b')).toBe('new');
  });

  it('distinguishes rejected from finished operations', async () => {
    const bad: Operation = { position: 31n, lines: put('pool_d', 'bad', 31n).lines.replace('"name"', '"nome"') };
    expect(await writer.write([put('pool_d', 'good', 30n), bad, put('pool_e', 'good', 32n)])).toEqual([
      { position: 31n, code: 'refused_by_index', detail: 'strict_dynamic_mapping_exception' },
    ]);
    expect([await nameOf('pool_d'), await nameOf('pool_e')]).toEqual(['good', 'good']);
  });

  it('reports a missing index, and never writes to an index by its own name, because OpenSearch might create it', async () => {
    for (const name of [`${freshPrefix()}pools-x-1`, indices.POOL]) {
      const lines = put('pool_f', 'lost', 1n).lines.replace(writeAliases.POOL, name);
      await expect(writer.write([{ position: 1n, lines }])).rejects.toThrow(IndexGoneError);
    }
    expect(await nameOf('pool_f')).toBeUndefined();
  });

  it.each([
    ['returns 500 for one of them', { index: { status: 500, error: { type: 'translog_exception' } } }],
    ['returns an item of unknown form', { index: { state: 'created' } }],
  ])('rejects no operation when OpenSearch %s', async (_, item) => {
    const server = createServer((_, response) => {
      const items = [{ index: { status: 201 } }, item];
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ errors: true, items }));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const failing = new OpenSearch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const written = new BulkWriter(failing, 2_000).write([put('pool_g', 'one', 40n), put('pool_h', 'two', 41n)]);
    await expect(written).rejects.toThrow(TransientError);
    await failing.close();
    server.close();
  });

  it('indexes every asset that the contract allows', async () => {
    const drawn = fc.sample(candidate, { seed: 20_260_101, numRuns: ASSETS });
    const assets = drawn.flatMap((members, number) => {
      const [type, start] = number % 2 === 0 ? ['POOL', 'pool'] : ['PROJECT', 'proj'];
      const result = assetSchema.safeParse({ ...members, id: `${start}_every-${number}`, type });
      return result.success ? [result.data] : [];
    });
    expect(assets.length).toBeGreaterThan(ASSETS / 4);
    const refused: unknown[] = [];
    for (let from = 0; from < assets.length; from += 200) {
      const some = assets.slice(from, from + 200);
      const rejected = await writer.write(some.map((one, place) => operation(one.id, one, BigInt(from + place))));
      for (const { position, detail } of rejected) refused.push({ ...assets[Number(position)], detail });
    }
    expect(refused).toEqual([]);
  });
});
