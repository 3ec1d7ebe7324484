import { eventually } from '@carbon/testing';
import { Logger } from '@nestjs/common';
import { TestDatabase } from '../testing/database.js';
import { pool } from '../testing/events.js';
import { AnswerRecorder } from './record-answers.js';

let test: TestDatabase;
beforeAll(async () => {
  Logger.overrideLogger(false);
  test = await TestDatabase.create();
  await test.recordAssets([pool('a', { price: 5, issued: 1 }), pool('b', { price: 20 })]);
});
afterAll(() => test.close());

it('answers lock the assets of adopted lines and of reservations in one round, because two rounds could deadlock', async () => {
  const [, adopting] = await test.queue(1_000, 400);
  await test.reserveCredits.run();
  const rows = await test.rows<{ id: string; lease_token: string }>('SELECT id, lease_token FROM offsets');
  const lines = [{ asset: 'pool_b', grams: 400_000n, priceMicros: 1n }];
  const answered = rows.map(({ id, lease_token }) => ({
    ...{ offset: id, token: lease_token, lines: 1 },
    answer: { outcome: 'retired' as const, ...(id === adopting && { lines }) },
  }));
  const release = await test.hold(`SELECT FROM supply WHERE asset_id = 'pool_a' FOR UPDATE`);
  const recorded = new AnswerRecorder(test.database, test.signals).run(answered);
  try {
    await eventually(async () => expect(await test.blocked()).toBe(1));
    expect(await test.rows(`SELECT FROM supply WHERE asset_id = 'pool_b' FOR UPDATE NOWAIT`)).toHaveLength(1);
  } finally {
    await release();
  }
  await recorded;
  expect(await test.rows('SELECT DISTINCT status FROM offsets')).toEqual([{ status: 'completed' }]);
});
