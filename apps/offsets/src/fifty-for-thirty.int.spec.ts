import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { inheritedEnvironment } from '@carbon/config';
import { eventually } from '@carbon/testing';
import { audit } from './ledger-cli/audit.js';
import { inSnapshot } from './ledger-cli/snapshot.js';
import { verify } from './ledger-cli/verify.js';
import { pool, request } from './test-events.js';
import { TestService } from './test-service.js';

const PROCESSES = 3;
const MAIN = resolve(import.meta.dirname, '../dist/main.js');

describe('fifty offsets that race for stock for thirty, in three processes', () => {
  let service: TestService;
  let processes: ChildProcess[];
  beforeAll(async () => {
    service = await TestService.create();
    processes = Array.from({ length: PROCESSES }, () =>
      fork(MAIN, { env: { ...inheritedEnvironment(), ...service.environment }, stdio: 'inherit' }),
    );
  });
  afterAll(async () => {
    for (const each of processes) each.kill('SIGTERM');
    await Promise.all(processes.map((each) => each.exitCode ?? once(each, 'exit')));
    await service.close();
  });

  /** How many of them are in the group that takes requests. */
  const atWork = async () => {
    const { client, names } = service.kafka();
    const admin = client.admin();
    await admin.connect();
    const { groups } = await admin.describeGroups([names.group('offsets.requests')]);
    await admin.disconnect();
    return groups[0]?.members.length;
  };

  it('leave exactly thirty completed and twenty failed, every gram accounted for, and one event each', async () => {
    await service.publishAssets([pool('a', { issued: 11 }), pool('b', { issued: 10.5 }), pool('c', { issued: 8.5 })]);
    await eventually(async () => expect(await atWork()).toBe(PROCESSES));
    const requests = Array.from({ length: 50 }, () => request({ kgCO2e: 1_000 }));
    await Promise.all(requests.map((one) => service.publishRequests([one])));
    await eventually(async () => {
      expect(await service.counts()).toEqual({ completed: 30, failed: 20 });
      expect(await service.rows('SELECT id FROM offsets WHERE announced_at IS NULL')).toEqual([]);
    });
    expect(await service.rows('SELECT asset_id, issued, reserved, retired FROM supply ORDER BY asset_id')).toEqual([
      { asset_id: 'pool_a', issued: '11000000', reserved: '0', retired: '11000000' },
      { asset_id: 'pool_b', issued: '10500000', reserved: '0', retired: '10500000' },
      { asset_id: 'pool_c', issued: '8500000', reserved: '0', retired: '8500000' },
    ]);
    expect(await service.rows('SELECT * FROM reservations')).toEqual([]);
    expect(await inSnapshot(service.databaseUrl, audit)).toEqual({ faults: [], warnings: [] });
    await inSnapshot(service.databaseUrl, (ask) => verify(ask, (fault) => expect(fault).toBe('')));
    expect(await service.messagesOf('offset.completed')).toHaveLength(30);
    const failed = await service.messagesOf('offset.failed');
    expect(failed.map(({ value }) => value)).toEqual(
      Array.from({ length: 20 }, () => expect.objectContaining({ code: 'insufficient_supply' })),
    );
  });
});
