import { randomBytes } from 'node:crypto';
import { fingerprint, gramsFromKg, Ids, offsetView, retirementReceiptView } from '@carbon/contracts';
import { eventMessage, SelfClockedProducer } from '@carbon/messaging';
import { eventually } from '@carbon/testing';
import { deadLetterReasons, eventIdsByOffset } from './events.js';
import { type Answer, acceptedId } from './load/client.js';
import { systemOnSharedEngines, type TestSystem } from './system.js';

type Answered = Extract<Answer, { kind: 'answer' }>;
/** One wish and the key under which it is sent again and again. */
interface Wish {
  readonly key: string;
  readonly body: { readonly kgCO2e: number; readonly customerRef: string };
}

const ORDERS = 25;
const TWINS = 20;
/** In each of eight rounds every one of 50 wishes is sent again five times: 2,000 replays. */
const [ONE_BY_ONE, AT_A_TIME] = [2, 3];
const ROUND = 2 * ORDERS * (ONE_BY_ONE + AT_A_TIME);
const APPS = ['gateway', 'offsets', 'catalog'] as const;

let app: TestSystem;
beforeAll(async () => {
  app = await systemOnSharedEngines();
}, 120_000);
afterAll(() => app.stop(), 60_000);

const wishes: Wish[] = [];
/** What 202 was answered for each key the first time. */
const first = new Map<string, unknown>();
const idOf = (key: string) => acceptedId(first.get(key)) ?? '';

/** Sends a request until it was honoured or refused for good: while an app starts again, nobody listens for a moment. */
async function send({ key, body }: { key?: string; body: object }): Promise<Answered> {
  return await eventually(
    async () => {
      const answer = await app.client.createOffset(body, key);
      if (answer.kind === 'broken' || answer.status === 503) throw new Error(JSON.stringify(answer));
      return answer;
    },
    { within: 30_000 },
  );
}

async function read(path: string): Promise<unknown> {
  const answer = await app.client.get(path);
  if (answer.kind !== 'answer' || answer.status !== 200) throw new Error(JSON.stringify(answer));
  return answer.body;
}

const isKnown = ({ headers }: Answered) => headers['idempotency-replayed'] === 'true';

/** Sends every wish again, one by one and twenty at a time; gives how many answers said that they are replays. */
async function replayAll(): Promise<number> {
  const waiting = wishes.flatMap((wish) => Array.from({ length: AT_A_TIME }, () => wish));
  let [replays, known] = [0, 0];
  const replay = async (wish: Wish) => {
    const answer = await send(wish);
    expect([answer.status, answer.body]).toEqual([202, first.get(wish.key)]);
    replays += 1;
    known += isKnown(answer) ? 1 : 0;
  };
  const worker = async () => {
    for (let wish = waiting.shift(); wish !== undefined; wish = waiting.shift()) await replay(wish);
  };
  for (let time = 0; time < ONE_BY_ONE; time += 1) for (const wish of wishes) await replay(wish);
  await Promise.all(Array.from({ length: TWINS }, worker));
  expect(replays).toBe(ROUND);
  return known;
}

/** By a gateway that has forgotten. It publishes what it is not told of in good time, at most once for each key. */
async function replayAllToForgetful(): Promise<void> {
  expect(await replayAll()).toBeGreaterThanOrEqual(ROUND - wishes.length);
}

/** Ends an app by a signal, and resolves when it is ready again. */
async function endBy(signal: 'SIGKILL' | 'SIGTERM', name: string): Promise<void> {
  const part = app.system.part(name);
  const exits = part.exits;
  await part.kill(signal);
  await eventually(() => expect(part.exits).toBe(exits + 1), { within: 15_000 });
  await part.ready();
}

describe('2,000 replays of 50 requests', () => {
  it('are answered as the request was when twenty come together, and all but one of them say what they are', async () => {
    for (let n = 0; n < ORDERS; n += 1) {
      const wish = { key: `order-${n}`, body: { kgCO2e: n + 0.5, customerRef: `order-${n}` } };
      const together = await Promise.all(Array.from({ length: TWINS }, () => send(wish)));
      expect(together.filter((answer) => !isKnown(answer))).toHaveLength(1);
      first.set(wish.key, together[0]?.body);
      for (const { status, body } of together) expect([status, body]).toEqual([202, first.get(wish.key)]);
      wishes.push(wish);
    }
  });

  it('are answered so under the id of a request that had no key', async () => {
    for (let n = 0; n < ORDERS; n += 1) {
      const body = { kgCO2e: n + 0.25, customerRef: `walk-in-${n}` };
      const answer = await send({ body });
      expect([answer.status, isKnown(answer)]).toEqual([202, false]);
      const wish = { key: acceptedId(answer.body) ?? 'no id', body };
      first.set(wish.key, answer.body);
      expect(isKnown(await send(wish))).toBe(true);
      wishes.push(wish);
    }
    expect(new Set(wishes.map(({ key }) => idOf(key))).size).toBe(2 * ORDERS);
    expect(await replayAll()).toBe(ROUND);
  });

  it.each(APPS.flatMap((name) => (['SIGKILL', 'SIGTERM'] as const).map((signal) => ({ name, signal }))))(
    'are answered so while $signal ends $name and it starts again',
    async ({ name, signal }) => {
      const replays = replayAll();
      await endBy(signal, name);
      await replays;
    },
    90_000,
  );

  it('are answered so after all were started again with a new first secret in ID_SECRETS, the old one kept', async () => {
    const ID_SECRETS = `${randomBytes(32).toString('base64url')},${app.system.environment.ID_SECRETS}`;
    await app.restart({ secrets: { ID_SECRETS } });
    await replayAllToForgetful();
  }, 120_000);

  it('leave one offset for each key, for each offset one retirement, and for each of those one event', async () => {
    const ids = wishes.map(({ key }) => idOf(key)).sort();
    await eventually(
      async () => {
        const offsets = (await read('/v1/offsets?limit=100')) as { status: string }[];
        expect(offsets.map(({ status }) => status)).toEqual(ids.map(() => 'completed'));
      },
      { within: 30_000 },
    );
    const offsets = ((await read('/v1/offsets?limit=100')) as unknown[]).map((one) => offsetView.parse(one));
    expect(offsets.map(({ id }) => id).sort()).toEqual(ids);
    for (const { id, credits } of offsets) {
      const { entries } = retirementReceiptView.parse(await read(`/v1/retirements?offset=${id}`));
      expect(entries.map((entry) => entry.credits)).toEqual([credits]);
    }
    const announced = ids.map((id) => [id, new Set([`${id}.offset.completed.v1`])]);
    await eventually(
      async () => {
        const events = await eventIdsByOffset(app.kafka, 'offset.completed');
        expect([...events].sort(([a], [b]) => (a < b ? -1 : 1))).toEqual(announced);
      },
      { within: 30_000 },
    );
    expect(await app.deadLetters()).toEqual({});
  }, 90_000);

  it('do not make the keys free for another wish', async () => {
    for (const { key, body } of wishes) {
      const answer = await send({ key, body: { ...body, kgCO2e: 1_000 } });
      expect([answer.status, answer.body]).toEqual([422, expect.objectContaining({ code: 'idempotency_key_reused' })]);
    }
  });
});

describe('the key of another account', () => {
  it('is another offset', async () => {
    const [wish] = wishes;
    if (wish === undefined) throw new Error('no wish');
    const id = await requestAs('another', wish);
    expect(id).not.toBe(idOf(wish.key));
    await eventually(async () => {
      const events = await eventIdsByOffset(app.kafka, 'offset.completed');
      expect([events.size, events.get(id)?.size]).toEqual([wishes.length + 1, 1]);
    });
    expect(await app.client.get(`/v1/offsets?id=${id}`)).toMatchObject({ status: 404 });
    expect(await app.client.get(`/v1/retirements?offset=${id}`)).toMatchObject({ status: 404 });
    const { body } = await send(wish);
    expect(body).toEqual(first.get(wish.key));
  });
});

/** What the gateway would publish for a wish of this account; gives the id. */
async function requestAs(account: string, { key, body }: Wish): Promise<string> {
  const { ID_SECRETS = '', IDEMPOTENCY_SECRETS = '' } = app.system.environment;
  const ids = new Ids({ ids: ID_SECRETS.split(','), idempotency: IDEMPOTENCY_SECRETS.split(',') });
  const [id, createdAt] = [ids.fromKey(account, key), new Date().toISOString()];
  const grams = String(gramsFromKg(body.kgCO2e));
  const data = { id, account, ...body, grams, createdAt, fingerprint: fingerprint(body) };
  const producer = new SelfClockedProducer(app.kafka);
  try {
    await producer.publish(
      eventMessage('offset.requested.v1', data, { id, source: '/gateway', subject: id, time: createdAt }),
    );
  } finally {
    await producer.close();
  }
  return id;
}

describe('another wish under a known key, while nobody can know that', () => {
  it('is accepted, dead-lettered, and changes nothing', async () => {
    const [, wish] = wishes;
    if (wish === undefined) throw new Error('no second wish');
    const id = idOf(wish.key);
    const [before, receipt] = [await read(`/v1/offsets?id=${id}`), await read(`/v1/retirements?offset=${id}`)];
    await app.system.part('offsets').stop();
    await endBy('SIGKILL', 'gateway');
    const answer = await send({ key: wish.key, body: { ...wish.body, kgCO2e: 1_000 } });
    expect([answer.status, answer.body, isKnown(answer)]).toEqual([202, first.get(wish.key), false]);

    await app.system.part('offsets').start();
    const reasons = () => deadLetterReasons(app.kafka, 'offset.requested');
    await eventually(async () => expect(await reasons()).toEqual([[id, 'idempotency_conflict']]), { within: 30_000 });
    expect(await read(`/v1/offsets?id=${id}`)).toEqual(before);
    expect(await read(`/v1/retirements?offset=${id}`)).toEqual(receipt);
    expect((await eventIdsByOffset(app.kafka, 'offset.completed')).get(id)?.size).toBe(1);
  }, 90_000);

  it('leaves every gram accounted for', async () => {
    await expect(app.audit()).resolves.toBeUndefined();
    expect(await app.deadLetters()).toEqual({ 'offset.requested': 1n });
  });
});
