import { eventually } from '@carbon/testing';
import { backUp, putBack } from '../test-backup.js';
import { pool, request } from '../test-events.js';
import { TestService } from '../test-service.js';

const SINCE = 300;

describe('a database that is put back to an earlier state', () => {
  let service: TestService;
  beforeEach(async () => {
    service = await TestService.create();
    await service.publishAssets([pool('a', { issued: 1_000_000 })]);
  });
  afterEach(() => service.close());

  const requests = (count: number) => Array.from({ length: count }, () => request({ kgCO2e: 1 }));
  const completed = (count: number) =>
    eventually(async () => expect(await service.counts()).toEqual({ completed: count }), { within: 120_000 });

  it('gets the offsets back that were accepted since, all of them completed', async () => {
    await service.publishRequests(requests(20));
    const first = await service.start();
    await completed(20);
    await first.close();
    await backUp(service.databaseUrl);
    await service.publishRequests(requests(SINCE));
    const second = await service.start();
    await completed(20 + SINCE);
    await second.close();
    await putBack(service.databaseUrl);
    expect(await service.counts()).toEqual({ completed: 20 });
    await service.start();
    await completed(20 + SINCE);
    expect(service.exits).toEqual([]);
  });

  it('is noticed while the service runs and nothing arrives, and the successor records what was lost', async () => {
    await service.publishRequests(requests(20));
    const first = await service.start();
    await completed(20);
    await backUp(service.databaseUrl);
    await service.publishRequests(requests(SINCE));
    await completed(20 + SINCE);
    await putBack(service.databaseUrl);
    await eventually(() => expect(service.exits.map(String)).toContainEqual(expect.stringContaining('PostgreSQL')));
    await first.close();
    await service.start();
    await completed(20 + SINCE);
  });

  it('is noticed by the next batch, which stores nothing: what lies between would be hidden', async () => {
    await service.start();
    const all = requests(3);
    // Under one key, so that they share a partition.
    const published = (place: number) => service.publish('offset.requested.v1', 'off_same', all[place]);
    await published(0);
    await completed(1);
    await backUp(service.databaseUrl);
    await published(1);
    await completed(2);
    await putBack(service.databaseUrl);
    await published(2);
    await eventually(() => expect(service.exits.length).toBeGreaterThan(0));
    const stored = await service.rows<{ sum: string }>('SELECT sum(position) FROM request_positions');
    expect(stored).toEqual([{ sum: '1' }]);
  });
});
