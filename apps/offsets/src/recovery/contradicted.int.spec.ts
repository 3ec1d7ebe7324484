import { eventually } from '@carbon/testing';
import { pool, request } from '../test-events.js';
import { TestService } from '../test-service.js';
import { RestoredDatabase } from './test-restored.js';

/** For a machine with much else to do. */
const PATIENT = { within: 180_000 };

describe('an older database that has decided an offset otherwise than it was announced', () => {
  it('stops the recovery by the name of the offset, and keeps its ledger as it is', async () => {
    const service = await TestService.create();
    await service.publishAssets([pool('a')]);
    await (await service.start()).close();
    const older = await RestoredDatabase.copyOf(service.databaseUrl);
    const app = await service.start();
    const wanted = Array.from({ length: 40 }, () => request({ kgCO2e: 1 }));
    await service.publishRequests(wanted);
    await eventually(async () => {
      expect(await service.rows('SELECT FROM offsets WHERE announced_at IS NOT NULL')).toHaveLength(wanted.length);
    }, PATIENT);
    await app.close();

    const id = wanted.at(-1)?.id ?? '';
    await older.rows(
      `INSERT INTO offsets (id, account, status, kg_co2e, grams, fingerprint, created_at, updated_at, failed_at, failure_code,
         failure_detail)
       VALUES ($1, 'default', 'failed', 1, 1000, '', now(), now(), now(), 'insufficient_supply', '')`,
      [id],
    );
    const again = await service.launch({ DATABASE_URL: older.url });
    await eventually(() => expect(service.exits).toHaveLength(1), PATIENT);
    expect(service.exits[0]?.message).toMatch(
      `Offset ${id} is failed (insufficient_supply) in PostgreSQL, but offset.completed.v1 was announced.`,
    );
    expect(await older.rows('SELECT FROM ledger')).toEqual([]);
    await again.close();
    await service.close();
    await older.close();
  });
});
