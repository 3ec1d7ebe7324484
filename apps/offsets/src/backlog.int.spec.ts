import { fork } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { inheritedEnvironment } from '@carbon/config';
import { endsOf } from '@carbon/messaging';
import { eventually } from '@carbon/testing';
import { TestService } from './test-service.js';

const MAIN = resolve(import.meta.dirname, '../dist/main.js');
const EVENTS = 40_000;
const EVENT_BYTES = 3_200;
/** Little more than half of what the events take: a process that had them all in hand would die. */
const HEAP_MB = 80;

describe('a backlog of 40,000 events, as when Kafka was away for a long time', () => {
  it('is published by a process with less memory than it takes', async () => {
    const service = await TestService.create();
    await service.sql.query(
      `INSERT INTO outbox (event_id, offset_id, type, payload, created_at)
       SELECT 'off_' || n || '.offset.failed.v1', 'off_' || n, 'offset.failed.v1',
         json_build_object('noise', repeat(md5(n::text), ${EVENT_BYTES / 32})),
         now() - n * interval '1 ms'
       FROM generate_series(1, ${EVENTS}) AS n`,
    );
    const child = fork(MAIN, {
      // Where it runs nothing is kept of what node compiles, which would take memory as well.
      env: { ...inheritedEnvironment(), ...service.environment, NODE_DISABLE_COMPILE_CACHE: '1' },
      execArgv: [`--max-old-space-size=${HEAP_MB}`],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    const left = 'SELECT event_id FROM outbox WHERE published_at IS NULL LIMIT 1';
    await eventually(
      async () => {
        expect([child.exitCode, child.signalCode]).toEqual([null, null]);
        expect(await service.rows(left)).toEqual([]);
      },
      { within: 500_000, every: 200 },
    );
    const ends = await endsOf(service.kafka(), 'offset.failed');
    expect(ends.reduce((sum, { end }) => sum + Number(end), 0)).toBe(EVENTS);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
    await service.close();
  }, 560_000);
});
