import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { identityOf } from './processes/process-identity.js';
import { type RunningEngines, startEngines } from './start-engines.js';
import { type TemporaryDir, temporaryDir } from './temporary-dir.js';

let folder: TemporaryDir;
let engines: RunningEngines;

beforeAll(async () => {
  folder = await temporaryDir();
  engines = await startEngines({ dir: folder.dir, which: ['kafka', 'postgres', 'redis'], shortLived: true });
}, 120_000);
afterAll(async () => {
  await engines.stop();
  folder.remove();
}, 60_000);

async function query(sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: engines.addresses.databaseUrl });
  await client.connect();
  return (await client.query(sql).finally(() => client.end())).rows;
}

/** What Redis answers to some commands, as it stands on the wire. */
async function redis(...commands: string[]): Promise<string> {
  const { hostname: host, port, password } = new URL(engines.addresses.redisUrl ?? '');
  const socket = connect({ host, port: Number(port) });
  socket.write(`${[`AUTH ${password}`, ...commands, 'QUIT'].join('\r\n')}\r\n`);
  return (await text(socket)).replace(/\+OK\r\n$/, '');
}

describe('engines of our own', () => {
  it('keep what PostgreSQL committed when it is killed with -9, and bring it back', async () => {
    await query('CREATE TABLE kept AS SELECT 1 AS n');
    await engines.part('postgres').kill('SIGKILL');
    await engines.part('postgres').ready();
    expect(await query('SELECT n FROM kept')).toEqual([{ n: 1 }]);
  });

  it('bring Kafka back when it is killed with -9', async () => {
    const pid = engines.part('kafka').pid ?? 0;
    await engines.part('kafka').kill('SIGKILL');
    expect(identityOf(pid)).toBeUndefined();
    await engines.part('kafka').ready();
    expect(engines.part('kafka').pid).not.toBe(pid);
  });

  it('bring Redis back empty when it is killed with -9, at the same address and with the same password', async () => {
    expect(await redis('SET kept 1', 'GET kept')).toContain('$1\r\n1');
    await engines.part('redis').kill('SIGKILL');
    await engines.part('redis').ready();
    expect(await redis('GET kept', 'PING')).toMatch(/\$-1\r\n\+PONG\r\n$/);
  });

  it('run Kafka with the times that let it come back in seconds, and without topics made by accident', () => {
    const properties = readFileSync(join(folder.dir, 'data/kafka/server.properties'), 'utf8').split('\n');
    expect(properties).toEqual(
      expect.arrayContaining([
        'broker.session.timeout.ms=2000',
        'broker.heartbeat.interval.ms=500',
        'offsets.topic.num.partitions=3',
        'auto.create.topics.enable=false',
      ]),
    );
  });

  it('write to disk before PostgreSQL answers a commit', async () => {
    expect(await query('SHOW fsync')).toEqual([{ fsync: 'on' }]);
    expect(await query('SHOW synchronous_commit')).toEqual([{ synchronous_commit: 'on' }]);
  });

  it('name only the addresses of those that were asked for', () => {
    expect(Object.keys(engines.addresses).sort()).toEqual(['databaseUrl', 'kafkaBrokers', 'redisUrl']);
  });
});
