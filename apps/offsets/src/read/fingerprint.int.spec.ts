import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { request } from '../test-events.js';
import { asks, TestService } from '../test-service.js';

describe('GET /internal/fingerprints', () => {
  let service: TestService;
  let app: NestFastifyApplication;

  beforeAll(async () => {
    service = await TestService.create();
    app = await service.start();
  });
  afterAll(() => service.close());

  const ask = (query: string, account: string | null = 'default') =>
    app.inject({
      method: 'GET',
      url: `/internal/fingerprints${query}`,
      headers: asks(account),
    });

  it('tells which wish is recorded under an id, in every state', async () => {
    const one = request({ kgCO2e: 1.5, customerRef: 'u-1' }, { account: 'one' });
    await service.record(app, [one]);
    const answers = [await ask(`?offset=${one.id}`, 'one')];
    await service.settled(app, one.id, 'one');
    answers.push(await ask(`?offset=${one.id}`, 'one'));
    for (const answer of answers) {
      expect(answer.statusCode).toBe(200);
      expect(answer.headers).toMatchObject({
        'content-type': expect.stringContaining('application/json'),
        'cache-control': 'no-store',
      });
      expect(answer.json()).toEqual({ id: one.id, fingerprint: one.fingerprint });
    }
  });

  it('says at once that nothing is recorded, for a new offset waits for the answer', async () => {
    const ms: number[] = [];
    for (let n = 0; n < 5; n += 1) {
      const begin = performance.now();
      const answer = await ask(`?offset=${request({ kgCO2e: 1 }).id}`);
      ms.push(performance.now() - begin);
      expect(answer.statusCode).toBe(404);
      expect(answer.headers['content-type']).toContain('application/problem+json');
      expect(answer.json()).toMatchObject({ code: 'not_found' });
    }
    // A read of the offset itself would wait for a second.
    expect(Math.min(...ms)).toBeLessThan(900);
  });

  it('tells nobody of another account’s', async () => {
    const mine = request({ kgCO2e: 1 }, { account: 'mine' });
    await service.record(app, [mine]);
    expect((await ask(`?offset=${mine.id}`, 'theirs')).statusCode).toBe(404);
  });

  it.each([
    ['', 'offset', 'missing_parameter'],
    ['?offset=off_1', 'offset', 'invalid_parameter'],
    ['?id=off_00000000000000000000000001', 'id', 'unknown_parameter'],
  ])('says what is wrong with %j', async (query, field, code) => {
    const answer = await ask(query);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ errors: expect.arrayContaining([expect.objectContaining({ field, code })]) });
  });

  it('answers only on behalf of an account', async () => {
    const answer = await ask(`?offset=${request({ kgCO2e: 1 }).id}`, null);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ errors: [{ field: 'x-account', code: 'invalid_header' }] });
  });
});
