import { eventually } from '@carbon/testing';
import { Logger } from '@nestjs/common';
import pg from 'pg';
import { type Exchange, honestly } from '../test-registry.js';
import { haveSlept, wakeUp } from '../test-sleep.js';
import { RegistryBench } from './test-registry-bench.js';

/** Who waits for supply that somebody else has locked, by the moment its transaction began. */
const WAITING = `SELECT xact_start FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%supply%'`;

/** Time for the beginning of an answer to arrive. */
const ANSWERS_AFTER_MS = 50;

/** Says that the offset is not retired, all but the last letter. */
function beginToDeny({ response }: Exchange): void {
  response.writeHead(404, { 'content-type': 'application/json' }).write('{"code":"not_found"');
}

describe('an answer of the registry that cannot be written down for a while', () => {
  let bench: RegistryBench;
  let sleeper: pg.Client;
  beforeAll(() => Logger.overrideLogger(false));
  beforeEach(async () => {
    bench = await RegistryBench.create({ lockMs: 3_000 });
    sleeper = new pg.Client({ connectionString: bench.test.url });
    await sleeper.connect();
  });
  afterEach(async () => {
    await sleeper.end();
    await bench.close();
  });

  it('is kept and written down as soon as it can be, and the registry is not asked again', async () => {
    const [id = ''] = await bench.reserve(500);
    await sleeper.query('BEGIN');
    await sleeper.query('SELECT FROM supply FOR UPDATE');
    bench.worker.start();
    const attempts = new Set<number>();
    await eventually(async () => {
      const waiting = await bench.test.rows<{ xact_start: Date }>(WAITING);
      for (const { xact_start } of waiting) attempts.add(xact_start.getTime());
      expect(attempts.size).toBe(2);
    });
    await sleeper.query('ROLLBACK');
    await bench.settled({ completed: 1 });
    expect(bench.registry.callsAbout(id)).toHaveLength(1);
    await bench.expectAudit();
  });
});

describe('offsets that a process claimed before it slept', () => {
  let bench: RegistryBench;
  beforeEach(async () => {
    bench = await RegistryBench.create();
  });
  afterEach(async () => {
    wakeUp();
    await bench.close();
  });

  it('are left to who claims them next: an older database may have been put in place, with other credits for them', async () => {
    const [id = ''] = await bench.reserve(500);
    const { database } = bench.test;
    const transaction = database.transaction.bind(database);
    database.transaction = async (work) => {
      const outcome = await transaction(work);
      haveSlept();
      return outcome;
    };
    await bench.step.sweep();
    await bench.step.stop();
    expect(bench.registry.callsAbout(id)).toEqual([]);
    expect(await bench.test.counts()).toEqual({ processing: 1 });
  });

  describe('are not retired by it when it wakes', () => {
    const ask = (attempt: number) => {
      const order = {
        offset: 'one',
        costMicros: 1n,
        lines: [{ asset: 'pool_a', grams: 1n, priceMicros: 1n }],
        attempt,
      };
      return bench.way.retire([order]);
    };
    const unknown = new Map([['one', expect.objectContaining({ outcome: 'unknown' })]]);

    it('where it slept while it connected', async () => {
      const asked = ask(1);
      haveSlept();
      expect(await asked).toEqual(unknown);
      expect(bench.registry.ledger).toEqual([]);
    });

    it.each([
      ['before it is answered', () => {}],
      ['in the middle of the answer', beginToDeny],
    ])('where it slept while it asked whether they are, %s', async (_, begin) => {
      bench.registry.behaves = (exchange) => {
        begin(exchange);
        setTimeout(() => {
          haveSlept();
          if (exchange.response.headersSent) exchange.response.end('}');
          else honestly(exchange);
        }, ANSWERS_AFTER_MS);
      };
      expect(await ask(2)).toEqual(unknown);
      expect(bench.registry.ledger).toEqual([]);
    });
  });
});
