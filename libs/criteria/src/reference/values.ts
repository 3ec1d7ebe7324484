import type { CriteriaFieldType } from '../fields.js';

type Pool<T> = readonly [T, ...T[]];

const WORDS: Pool<string> = [
  'BCT',
  'bct',
  'A*B',
  'AxB',
  'and',
  'null',
  'IN',
  'São',
  'sao',
  'a b',
  'a\\b',
  "it's",
  '-x',
  'x..y',
  '',
];
const SENTENCES: Pool<string> = [
  'Base Carbon Tonne',
  'base carbon tonne',
  'Carbon tonne of São Paulo',
  "Côte d'Ivoire mangroves",
  'CHAR: Biochar *premium*',
  '!!!',
  '',
  `carbon ${'x'.repeat(1030)}`,
];

/** What documents hold, by type: few values, chosen so that conditions meet them often and nearly. */
export const STORED: Readonly<Record<CriteriaFieldType, Pool<unknown>>> = {
  keyword: WORDS,
  text: SENTENCES,
  number: [-1.25, 0, 1e-7, 3.5, 4.3, 1e15],
  integer: [2008, 2018, 2019, 2025, 0, -5],
  date: [
    '2022-02-28T23:59:59.999Z',
    '2022-03-01T00:00:00.000Z',
    '2024-02-29T10:30:15.500Z',
    '2021-12-31T00:00:00.000Z',
  ],
  boolean: [true, false],
  address: ['0xAbC1', '0xabc1', '0xABC', '0x1'],
};

/** What conditions ask for, by type; numbers and dates in rising order, so that two of them make a range. */
export const ASKED: Readonly<Record<CriteriaFieldType, Pool<string>>> = {
  keyword: WORDS,
  text: ['carbon', 'carbon tonne', 'tonne carbon', 'sao paulo', "d'ivoire", 'Base Carbon Tonne', 'premium', 'biochar'],
  number: ['-1.25', '-.5', '0', '1e-7', '3.5', '4.3', '1E15'],
  integer: ['-5', '0', '2008', '2018', '2019', '2025'],
  date: ['2021', '2022-02', '2022-02-28', '2022-02-28T23:59:59.999Z', '2022-03-01T01:00+01:00', '2024-02-29', '2025'],
  boolean: ['true', 'FALSE'],
  address: ['0xabc1', '0XABC', '0x1', '0x2'],
};
