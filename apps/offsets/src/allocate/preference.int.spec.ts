import { PREFERENCE_WORDS } from '../domain/preference.js';
import { preference } from '../domain/test-preference.js';
import { Bells } from '../pace/bell.js';
import { preferredSupply } from '../persistence/preferred-supply.js';
import { TestDatabase } from '../test-database.js';
import { pool } from '../test-events.js';
import { ReserveCredits } from './reserve-credits.js';

const TEXTS = PREFERENCE_WORDS.flatMap((first) => [
  first,
  ...PREFERENCE_WORDS.filter((word) => word.at(-1) !== first.at(-1)).map((word) => `${first},${word}`),
]);

const RATINGS = [undefined, 5, 0, -1.5, 4.25, undefined, 5];
/** Many prices and ratings twice, and ids whose bytes sort otherwise than their letters would in most languages. */
const LIBRARY = Array.from({ length: 210 }, (_, n) => {
  const rating = RATINGS[n % RATINGS.length];
  return pool(`${['b', 'a_', 'a-', 'a0', 'aa'][n % 5]}${n % 31}`, {
    price: (n * 37) % 11,
    issued: 1,
    ...(rating !== undefined && { rating }),
  });
});

describe('the order in which credits are taken', () => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await TestDatabase.create();
    await test.bring(LIBRARY);
  });
  afterAll(() => test.close());

  it.each(TEXTS)('"%s" is the same in the database and for us', async (text) => {
    const wanted = preference(text);
    const supplies = await preferredSupply(test.database.query, wanted, 1_000);
    expect(supplies.length).toBeGreaterThan(150);
    expect(supplies).toEqual([...supplies].sort(wanted.compare));
    expect(await preferredSupply(test.database.query, wanted, 20)).toEqual(supplies.slice(0, 20));
  });

  it.each(['price,-rating', '-price', 'rating,-price'])(
    '"%s" is kept over more assets than are locked at first',
    async (text) => {
      const wanted = preference(text);
      const before = await preferredSupply(test.database.query, wanted, 40);
      const [id] = await test.ask(40_000);
      await new ReserveCredits(test.database, new Bells(), wanted).run();
      const taken = await test.rows<{ asset_id: string }>('SELECT asset_id FROM reservations WHERE offset_id = $1', [
        id,
      ]);
      expect(taken.map(({ asset_id }) => asset_id).sort()).toEqual(before.map(({ asset }) => asset).sort());
    },
  );
});
