import type { CriteriaFieldType } from '../fields.js';
import { MAX_WHOLE } from './matches.js';
import type { Pool } from './random.js';

const WORDS: Pool<string> = [
  'BCT',
  'bct',
  'A*B',
  'AxB',
  'A?B',
  'a＊b',
  'A＼？',
  'and',
  'null',
  'IN',
  'São',
  'sao',
  'Straße',
  'STRASSE',
  'ΔΑΣΟΣ',
  'İzmir',
  'a b',
  'a\\b',
  'a\\*b',
  "it's",
  '"q"',
  '-x',
  'x..y',
  'line\nbreak',
  '/a,b/',
  '🌳',
  '007',
  '',
];

const TREES = 'trees ';

const SENTENCES: Pool<string> = [
  'Base Carbon Tonne',
  'base carbon tonne',
  'Carbon tonne of São Paulo',
  "Côte d'Ivoire mangroves",
  'Côte d’Ivoire: Mangrove',
  'CHAR: Biochar *premium*',
  'biochar T_VER 2.0, a premium',
  'Über die Straße 🌳',
  'ØSTFOLD æther, Łódź',
  'ΔΑΣΟΣ Лес',
  'co-benefit carbon, tonne',
  '!!!',
  '',
  `carbon ${'x'.repeat(MAX_WHOLE - 7)}`,
  `carbon ${'x'.repeat(MAX_WHOLE - 6)}`,
  TREES + '🌳'.repeat((MAX_WHOLE - TREES.length) / 2),
  `${TREES}${'🌳'.repeat((MAX_WHOLE - TREES.length) / 2)}!`,
];

/** The values of documents by type: few, so that conditions often match or nearly match. */
export const STORED: Readonly<Record<CriteriaFieldType, Pool<unknown>>> = {
  keyword: WORDS,
  text: SENTENCES,
  number: [-1.25, 0, 1e-7, 3.5, 4.3, 1e15, -5e300],
  integer: [2008, 2018, 2019, 2025, 0, -5, 2 ** 31 - 1, -(2 ** 31)],
  date: [
    '2021-12-31T00:00:00.000Z',
    '2022-02-28T23:59:59.999Z',
    '2022-03-01T00:00:00.000Z',
    '2022-03-01T01:30:00+02:00',
    '2024-02-29T10:30:15.500Z',
    '2024-02-29T10:30:16Z',
    '2024-12-31T23:59:59.999Z',
    '2025-01-01T00:00:00.000Z',
  ],
  boolean: [true, false],
  address: ['0xAbC1', '0xabc1', '0xABC', '0x1', '0x2bff', '0x2F800Db0fdb5223b3C3f354886d907A671414A7F'],
};

const CRITERIA_WHOLE: Readonly<Record<'keyword' | 'text' | 'address', Pool<string>>> = {
  keyword: [...WORDS, 'Sa\u0303o', 'strasse', 'δασοσ', 'x'],
  text: ['Base Carbon', 'COTE D’IVOIRE: mangrove', ...SENTENCES.filter((text) => text.length <= 256)],
  address: ['0xabc1', '0XABC', '0x1', '0x2', '0x2f800db0fdb5223b3c3f354886d907a671414a7f'],
};

/** The operands of equality conditions on text. */
export const CRITERIA_TEXTS = {
  whole: CRITERIA_WHOLE,
  words: [
    'carbon',
    'Carbon TONNE',
    'tonne carbon',
    'base',
    'sao paulo',
    'Sa\u0303o',
    "d'ivoire",
    'D’Ivoire',
    'cote',
    '*premium*',
    'biochar',
    'mangroves',
    'mangrove',
    'strasse',
    '🌳',
    'ostfold aether',
    'lodz',
    'T_VER',
    'δασοσ',
    'ЛЕС',
    '2.0',
    'co benefit',
  ],
} as const;

/**
 * The operands of pattern conditions, in pattern syntax. Few begin with a wildcard, because that requires three
 * letters.
 */
export const CRITERIA_PATTERNS = {
  whole: {
    keyword: [
      'BC*',
      'b?t',
      'A\\*B*',
      'A\\**',
      'a\\*?',
      'A＊*',
      'a＼*？',
      'A?B',
      'A\\?*',
      'a\\\\*',
      'a\\\\\\**',
      'a*b',
      'S?O',
      'são*',
      '*rasse',
      'stra*e',
      'STRASS*',
      'δ?*',
      "*it's*",
      'n?ll',
      'i*',
      '0?7',
      '-*',
      'x..*',
      'line\n*',
      '/a*',
    ],
    text: [
      'base*',
      '*Carbon T*',
      "Côte d'*",
      'cote d?ivoire*',
      '*\\*premium\\**',
      'char: biochar \\*p*',
      'carbon x*',
      'carbon ?on*',
      'trees 🌳?*',
      '!*',
      'b?se carbon*e',
      '*ÃO PAULO',
      'ÜBER*',
      'ostfold ?ther*',
    ],
    address: ['0xab*', '0XABC*', '0x2b*', '0x2F80*'],
  },
  word: [
    'mangrov*',
    'MANGROV*',
    'm?ngrove',
    'São*',
    'Ü*',
    'c?rb*n',
    't*e',
    'BIOCH?R',
    'T_*',
    '?emium',
    '*grove*',
    '??????ves',
    'x?*',
    'Straß*',
    'Øst*',
    'ΔΑΣ*',
    'Л?С',
    'c?te',
  ],
} as const;

/** A literal of an ordered type in some spellings, and its value: for a number, `from` equals `to`. */
export interface Ordered {
  readonly texts: Pool<string>;
  readonly from: number;
  /** Just after the end. */
  readonly to: number;
}

const point = (value: number, ...texts: Pool<string>): Ordered => ({ texts, from: value, to: value });
const period = (from: string, to: string, ...texts: Pool<string>): Ordered => {
  return { texts, from: Date.parse(from), to: Date.parse(to) };
};

/** The operands of conditions on ordered types. */
export const CRITERIA_ORDERED = {
  number: [
    point(-5e300, '-5e300', '-5E+300'),
    point(-1.25, '-1.25', '-125e-2', '-1.250'),
    point(-0.5, '-.5', '-0.5'),
    point(0, '0', '-0', '0.0', '.0'),
    point(1e-7, '1e-7', '0.0000001'),
    point(3.5, '3.5', '03.50', '35E-1'),
    point(4.3, '4.3'),
    point(1e15, '1E15', '1000000000000000'),
  ],
  integer: [
    point(-(2 ** 31), '-2147483648'),
    point(-5, '-5'),
    point(0, '0', '-0'),
    point(2008, '2008', '2008.0'),
    point(2018, '2018', '2.018e3'),
    point(2019, '2019'),
    point(2024, '2024'),
    point(2025, '2025', '02025'),
    point(2 ** 31 - 1, '2147483647'),
  ],
  date: [
    period('2021-01-01T00:00:00Z', '2022-01-01T00:00:00Z', '2021'),
    period('2021-12-31T00:00:00Z', '2022-01-01T00:00:00Z', '2021-12-31'),
    period('2022-02-01T00:00:00Z', '2022-03-01T00:00:00Z', '2022-02'),
    period('2022-02-28T00:00:00Z', '2022-03-01T00:00:00Z', '2022-02-28'),
    period('2022-02-28T23:59:59Z', '2022-03-01T00:00:00Z', '2022-02-28T23:59:59Z', '2022-02-28t23:59:59z'),
    period('2022-02-28T23:59:59.999Z', '2022-03-01T00:00:00Z', '2022-02-28T23:59:59.999Z', '2022-02-28T23:59:59.999'),
    period('2022-02-28T23:30:00Z', '2022-02-28T23:31:00Z', '2022-03-01T01:30+02:00', '2022-02-28T23:30Z'),
    period('2022-03-01T00:00:00Z', '2022-03-01T00:01:00Z', '2022-03-01T01:00+01:00', '2022-02-28T18:30-05:30'),
    period('2024-02-29T00:00:00Z', '2024-03-01T00:00:00Z', '2024-02-29'),
    period('2024-02-29T10:30:15Z', '2024-02-29T10:30:16Z', '2024-02-29T10:30:15'),
    period('2024-12-01T00:00:00Z', '2025-01-01T00:00:00Z', '2024-12'),
    period('2025-01-01T00:00:00Z', '2026-01-01T00:00:00Z', '2025'),
  ],
} as const satisfies Record<string, readonly Ordered[]>;
