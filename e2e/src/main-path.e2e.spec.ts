import { OFFSET_STATUSES, offsetView } from '@carbon/contracts';
import { eventually } from '@carbon/testing';
import { type Answer, acceptedId } from './load/client.js';
import { systemOnSharedEngines, type TestSystem } from './system.js';

let app: TestSystem;
beforeAll(async () => {
  app = await systemOnSharedEngines();
}, 120_000);
afterAll(() => app.stop());

/** The answer, when it is one with this status. */
function ok(answer: Answer, status: number): Extract<Answer, { kind: 'answer' }> {
  if (answer.kind !== 'answer' || answer.status !== status) throw new Error(`not ${status}: ${JSON.stringify(answer)}`);
  return answer;
}

async function accepted(body: object): Promise<string> {
  const id = acceptedId(ok(await app.client.createOffset(body), 202).body);
  if (id === undefined) throw new Error('no id in the message');
  return id;
}

async function ended(id: string) {
  return eventually(async () => {
    const offset = offsetView.parse(ok(await app.client.get(`/v1/offsets?id=${id}`), 200).body);
    expect(['completed', 'failed']).toContain(offset.status);
    return offset;
  });
}

describe('an offset, from the wish to the retired credits', () => {
  it('is accepted with a message that holds its id, and nothing else', async () => {
    const { body, headers } = ok(await app.client.createOffset({ kgCO2e: 1234.5, customerRef: 'u-1' }), 202);
    const id = acceptedId(body);
    expect(body).toEqual({ message: `Offset event with ID: ${id} queued for processing.` });
    expect(headers).toMatchObject({
      location: `/v1/offsets?id=${id}`,
      'content-type': expect.stringContaining('application/json'),
    });
  });

  it('is found by its id at once, and completed within two seconds', async () => {
    const id = await accepted({ kgCO2e: 1234.5, customerRef: 'u-1' });
    const begun = performance.now();
    const first = ok(await app.client.get(`/v1/offsets?id=${id}`), 200);
    expect(first.body).toMatchObject({ id, status: expect.stringMatching(OFFSET_STATUSES.join('|')) });

    const offset = await ended(id);
    expect(performance.now() - begun).toBeLessThan(2_000);
    expect(offset).toMatchObject({ id, status: 'completed', kgCO2e: 1234.5, credits: 1.2345, creditsMatched: 1.2345 });
    expect(offset).toMatchObject({ customerRef: 'u-1', currency: 'USD', cost: expect.any(Number) });
    expect(offset.retirements.map(({ credits }) => credits).reduce((sum, credits) => sum + credits)).toBe(1.2345);
  });

  it('keeps an estimate id that it was given, and fails when there is no such estimate', async () => {
    const offset = await ended(await accepted({ kgCO2e: 1, estimateId: 'my-estimate' }));
    expect(offset).toMatchObject({ status: 'failed', estimateId: 'my-estimate', creditsMatched: 0, retirements: [] });
    expect(offset.failure?.code).toBe('estimate_not_found');
  });

  it('of a million tonnes completes on a fresh library, and one of a thousand million does not', async () => {
    const [large, larger] = [await accepted({ kgCO2e: 1e9 }), await accepted({ kgCO2e: 1e12 })];
    expect(await ended(large)).toMatchObject({ status: 'completed', creditsMatched: 1e6 });
    expect(await ended(larger)).toMatchObject({ status: 'failed', failure: { code: 'insufficient_supply' } });
  });

  it('is the first of the list, which is told apart by the absence of an id', async () => {
    const id = await accepted({ kgCO2e: 5 });
    await ended(id);
    const { body } = ok(await app.client.get('/v1/offsets'), 200);
    expect(body).toEqual([
      expect.objectContaining({ id }),
      ...new Array((body as unknown[]).length - 1).fill(expect.anything()),
    ]);
  });

  it('has the same id when its request is sent again under the same key, and is there once', async () => {
    const send = () => app.client.createOffset({ kgCO2e: 7, customerRef: 'twice' }, 'the-same-key');
    const answers = await Promise.all([send(), send(), send()]);
    const ids = new Set(answers.map((answer) => acceptedId(ok(answer, 202).body)));
    expect(ids.size).toBe(1);
    await ended(String([...ids][0]));
    const { body } = ok(await app.client.get('/v1/offsets?limit=100'), 200);
    expect((body as { customerRef?: string }[]).filter(({ customerRef }) => customerRef === 'twice')).toHaveLength(1);
  });

  it('can be walked to page by page, each once', async () => {
    const made = await Promise.all(Array.from({ length: 12 }, (_, n) => accepted({ kgCO2e: n + 1 })));
    await Promise.all(made.map(ended));
    const seen: string[] = [];
    for (let path: string | undefined = '/v1/offsets?limit=5'; path !== undefined; ) {
      const { body, headers } = ok(await app.client.get(path), 200);
      seen.push(...(body as { id: string }[]).map(({ id }) => id));
      path = /^<([^>]+)>; rel="next"$/.exec(String(headers.link ?? ''))?.[1];
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toEqual(expect.arrayContaining(made));
  });
});

describe('an id that was never given out', () => {
  it('is refused when it has not the form of one', async () => {
    const { body, headers } = ok(await app.client.get('/v1/offsets?id=nonsense'), 400);
    expect(body).toMatchObject({ code: 'invalid_request', errors: [{ field: 'id', code: 'invalid_parameter' }] });
    expect(headers['content-type']).toContain('application/problem+json');
  });

  it('is not found when it has', async () => {
    const { body } = ok(await app.client.get(`/v1/offsets?id=off_${'0'.repeat(26)}`), 404);
    expect(body).toMatchObject({ code: 'not_found', status: 404 });
  });
});

describe('after all that', () => {
  it('every gram is accounted for, and nothing is in a dead-letter topic', async () => {
    await expect(app.audit()).resolves.toBeUndefined();
    expect(await app.deadLetters()).toEqual({});
  });
});
