import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TemporaryDir, temporaryDir } from '@carbon/local';
import { eventually } from '@carbon/testing';
import { systemOnSharedEngines, type TestSystem } from './system.js';

const LONGEST_CRITERIA = 4096;
/** A search without its cursor, encoded. */
const LONGEST_QUESTION = 12 * 1024;
/** 256 characters: 32 words, all of which every one of the assets has. */
const WORDS = Array.from({ length: 32 }, (_, n) => `w${String(n * 7919).padStart(6, '0')} `).join('');
/** Names, ids and registries as long as there may be, and at nearly every character as long as UTF-8 makes one. */
const ASSETS = ['a', 'b', 'c'].map((end) => ({
  id: `proj_${end.repeat(64)}`,
  type: 'PROJECT',
  source: 'VERRA',
  name: '🌳'.repeat(511) + end,
  registry: 'Ж'.repeat(256),
  rating: -1.123456789012345e-7,
  description: WORDS,
}));
/** The registry of the assets, and others as long. */
const CONDITIONS = [...'ЖЩЮЯabcde'].map((letter) => `registry:"${letter.repeat(256)}"`).join(' or ');

interface Question {
  readonly criteria: string;
  readonly fullTextSearch: string;
  readonly sort: string;
  readonly fields: string;
  readonly limit: string;
}

/** Criteria of the longest length, of which so many characters are tabs, each two bytes longer than a space. */
function question(tabs: number, more: Partial<Question> = {}): Question {
  const criteria = (CONDITIONS + '\t'.repeat(tabs)).padEnd(LONGEST_CRITERIA);
  return { criteria, fullTextSearch: WORDS, sort: 'name,-rating', fields: 'id,rating', limit: '1', ...more };
}

let app: TestSystem;
let folder: TemporaryDir;
let longest: Question;

beforeAll(async () => {
  app = await systemOnSharedEngines({ apps: { offsets: { instances: 0 } } });
  folder = await temporaryDir();
  const file = join(folder.dir, 'long.ndjson');
  writeFileSync(file, ASSETS.map((asset) => `${JSON.stringify(asset)}\n`).join(''));
  await app.command('tools/assets/dist/cli.js', 'publish', file);
  const shorter = await eventually(async () => {
    const { next, total } = await page(addressOf(question(0)));
    expect(total).toBe(String(ASSETS.length));
    return questionIn(next);
  });
  longest = question((LONGEST_QUESTION - shorter.length) / 2);
}, 120_000);
afterAll(async () => {
  await app.stop();
  folder.remove();
});

/** As common clients encode it. */
const addressOf = (asked: Question) => `/v1/assets/projects?${new URLSearchParams({ ...asked })}`;
/** The address of a next page without its cursor. */
const questionIn = (next = '') => next.replace(/&cursor=[^&]*$/, '');

async function page(address: string) {
  const answer = await app.client.get(address);
  if (answer.kind !== 'answer' || answer.status !== 200) throw new Error(JSON.stringify(answer));
  const next = /^<([^>]+)>; rel="next"$/.exec(String(answer.headers.link ?? ''))?.[1];
  return { assets: answer.body as unknown[], total: answer.headers['x-total-count'], next };
}

describe('the longest question that may be asked', () => {
  it('is followed from page to page, to the end', async () => {
    expect([longest.criteria.length, longest.fullTextSearch.length]).toEqual([LONGEST_CRITERIA, 256]);
    const found: unknown[] = [];
    for (let next: string | undefined = addressOf(longest); next !== undefined; ) {
      const { assets, ...here } = await page(next);
      found.push(...assets);
      expect(here.total).toBe(String(ASSETS.length));
      if (here.next !== undefined) expect(questionIn(here.next)).toHaveLength(LONGEST_QUESTION);
      next = here.next;
    }
    expect(found).toEqual(ASSETS.map(({ id, rating }) => ({ id, rating })));
  });

  it.each<[string, () => Partial<Question>, number, string]>([
    ['criteria', () => ({ criteria: `${longest.criteria} ` }), 400, 'invalid_criteria'],
    ['words', () => ({ fullTextSearch: `${WORDS}w` }), 400, 'invalid_request'],
    ['the question', () => ({ limit: '10' }), 414, 'uri_too_long'],
  ])('is refused with one character more of %s', async (_, more, status, code) => {
    const answer = await app.client.get(addressOf({ ...longest, ...more() }));
    expect(answer).toMatchObject({ kind: 'answer', status, body: { code } });
  });

  it.each([16 * 1024 + 1, 24 * 1024, 64 * 1024])('is refused in an address of %d bytes', async (bytes) => {
    const address = addressOf(question(0));
    const answer = await app.client.get(address + '+'.repeat(bytes - address.length));
    expect(answer).toMatchObject({ kind: 'answer', status: 414, body: { code: 'uri_too_long' } });
  });
});
