import { TestDatabase } from '../test-database.js';
import { pool } from '../test-events.js';
import { STORE_FIGURES } from './store-figures.js';

describe('the figures of the tables', () => {
  it('count an offset that waited long as held only from when it was given its credits', async () => {
    const test = await TestDatabase.create();
    try {
      await test.bring([pool('a')]);
      const createdAt = new Date(Date.now() - 3_600_000).toISOString();
      await test.wish({ kgCO2e: 1 }, { createdAt });
      const [queued] = await test.rows<{ oldestQueued: number }>(STORE_FIGURES);
      expect(queued?.oldestQueued).toBeGreaterThan(3_500);
      await test.reserveCredits.run();
      const [held] = await test.rows<{ oldestProcessing: number; processing: number }>(STORE_FIGURES);
      expect(held).toMatchObject({ processing: 1, oldestQueued: 0 });
      expect(held?.oldestProcessing).toBeLessThan(300);
    } finally {
      await test.close();
    }
  });
});
