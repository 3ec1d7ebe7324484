import { type Asset, assetSchema, MAX_ISSUED_CREDITS } from '@carbon/contracts';
import type { Rejected } from '@carbon/messaging';
import { freshPrefix, testEngines } from '@carbon/testing';
import fc from 'fast-check';
import { z } from 'zod';
import { indexBody } from '../indexing/index-body.js';
import { OpenSearch } from '../open-search/open-search.js';
import { type Operation, operationOf } from './asset-operation.js';
import { BulkWriter } from './bulk-writer.js';

const ASSETS = 2_000;

/** Characters that grow when they are composed or folded, that are no letters, or that stand at an edge of Unicode. */
const RARE = [
  ...['\u0344', '\u1d160', '\u{1d160}', '\ufb2c', '\u0301', '\u0300\u0316', '\u200d', '\ufeff', '\u{10ffff}', '\uffff'],
  ...[
    '🌳',
    '👨‍👩‍👧',
    'ﷺ',
    '㍿',
    'ß',
    'İ',
    '…',
    '‗',
    '\u2028',
    '"',
    '\\',
    '/',
    ' ',
    '\u00ad',
    '½',
    '₂',
    '한',
    '\u1100\u1161',
  ],
];
const character = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...RARE) },
  fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }).filter((one) => !/\p{Cc}/u.test(one)),
  fc.constantFrom(...'aZ09 -_.'),
);
/** Short ones, and ones as long as they may be, of one character. */
const text = (longest: number) =>
  fc.oneof(
    fc.array(character, { minLength: 1, maxLength: 12 }).map((characters) => characters.join('')),
    character.map((one) => one.repeat(Math.floor(longest / [...one].length))),
  );
const number = (edges: readonly number[], others: fc.Arbitrary<number>) => fc.oneof(fc.constantFrom(...edges), others);
const millionths = (most: number) =>
  fc.double({ min: 0, max: most, noNaN: true }).map((value) => Number(value.toFixed(6)));
const two = (value: number) => String(value).padStart(2, '0');
const listedAt = fc
  .record({
    year: fc.constantFrom('0000', '0001', '1582', '1970', '2024', '9999'),
    day: fc.constantFrom('01-01', '02-28', '12-31', '06-30'),
    time: fc.constantFrom('00:00:00', '23:59:59', '12:00:00.1', '23:59:59.999999999', '00:00:00.1234567891'),
    offset: fc.oneof(
      fc.constantFrom('Z', '+00:00', '-00:00', '+14:00', '-18:00', '+18:00', '+18:01', '-23:59', '+23:59'),
      fc
        .record({ sign: fc.constantFrom('+', '-'), hours: fc.nat(23), minutes: fc.nat(59) })
        .map(({ sign, hours, minutes }) => `${sign}${two(hours)}:${two(minutes)}`),
    ),
  })
  .map(({ year, day, time, offset }) => `${year}-${day}T${time}${offset}`);

const INT32 = [-2_147_483_648, 2_147_483_647, 0, -0, 1e9];
const candidate = fc
  .record(
    {
      name: text(512),
      source: fc.stringMatching(/^[A-Z][A-Z0-9_]{0,255}$/),
      ticker: text(256),
      address: fc.stringMatching(/^0x[0-9a-fA-F]{1,64}$/),
      description: text(10_000),
      rating: number(
        [0, -0, 5e-324, -5e-324, 1e308, -1.7976931348623157e308, 2 ** 53 + 2],
        fc.double({ noNaN: true, noDefaultInfinity: true }),
      ),
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
      vintages: fc.array(fc.oneof(fc.constantFrom(...INT32), fc.integer({ min: INT32[0], max: INT32[1] })), {
        maxLength: 100,
      }),
      sdgs: fc.array(fc.integer({ min: 1, max: 17 }), { maxLength: 5 }),
      listedAt,
    },
    { requiredKeys: ['name', 'source'] },
  )
  .map((members) => members as Partial<Asset>);

describe('every asset that the contract allows', () => {
  const openSearch = new OpenSearch(testEngines().opensearchUrl);
  const prefix = freshPrefix();
  const indices = { POOL: `${prefix}every-pools`, PROJECT: `${prefix}every-projects` };

  const writeAliases = { POOL: `${indices.POOL}-write`, PROJECT: `${indices.PROJECT}-write` };

  beforeAll(async () => {
    for (const type of ['POOL', 'PROJECT'] as const) {
      const body = { ...indexBody(type), aliases: { [writeAliases[type]]: {} } };
      await openSearch.ask({ method: 'PUT', path: `/${indices[type]}`, body }, z.unknown(), 10_000);
    }
  });

  afterAll(() => openSearch.close());

  it('is taken by the index', async () => {
    const writer = new BulkWriter(openSearch, 20_000);
    const drawn = fc.sample(candidate, { seed: 20_260_101, numRuns: ASSETS });
    const assets = drawn.flatMap((members, number) => {
      const [type, start] = number % 2 === 0 ? ['POOL', 'pool'] : ['PROJECT', 'proj'];
      const result = assetSchema.safeParse({ ...members, id: `${start}_${number}`, type });
      return result.success ? [result.data] : [];
    });
    expect(assets.length).toBeGreaterThan(ASSETS / 4);
    const refused: unknown[] = [];
    for (let from = 0; from < assets.length; from += 200) {
      const operations = assets.slice(from, from + 200).map((asset, place) => {
        const message = { key: asset.id, value: asset, position: BigInt(from + place) };
        return operationOf(
          message as Parameters<typeof operationOf>[0],
          writeAliases,
          new Date().toISOString(),
        ) as Operation;
      });
      for (const { position, detail } of (await writer.write(operations)) as Rejected[]) {
        refused.push({ ...assets[Number(position)], detail });
      }
    }
    expect(refused).toEqual([]);
  });
});
