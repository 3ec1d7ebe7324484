import { TestService } from '../test-service.js';

describe('the server that a start check verified', () => {
  it('is noted once, and again when another one is met', async () => {
    const service = await TestService.create();
    const noted = () =>
      service.rows<{ server: string; server_since: Date }>('SELECT server, server_since FROM database_state');
    const launched = async () => {
      await (await service.start()).close();
      return noted();
    };
    const first = await launched();
    expect(first).toEqual([{ server: expect.stringMatching(/^\d+/), server_since: expect.any(Date) }]);
    expect(await launched()).toEqual(first);
    await service.sql.query(`UPDATE database_state SET server = 'another'`);
    const [again] = await launched();
    expect(again?.server).toBe(first[0]?.server);
    expect(again?.server_since.getTime()).toBeGreaterThan(first[0]?.server_since.getTime() ?? Number.NaN);
    await service.close();
  });
});
