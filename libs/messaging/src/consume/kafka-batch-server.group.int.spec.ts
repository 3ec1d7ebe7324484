import type { ISocketFactory } from 'kafkajs';
import { noDelaySockets } from '../kafka/patches.js';
import { type Handle, numbersOf, SHORT, TestBench } from '../testing/batch-server.js';
import { requestEvent, until } from '../testing/kafka.js';

/** The API key of FindCoordinator. */
const FIND_COORDINATOR = 10;

describe('a Kafka batch server in its group', () => {
  let bench: TestBench;
  let handled: number[];
  const handle: Handle = (batch) => void handled.push(...numbersOf(batch));

  beforeEach(async () => {
    bench = await TestBench.make();
    handled = [];
  });
  afterEach(() => bench.close());

  it('commits finished work when it stops, so that the next member does not repeat it', async () => {
    const finished = Promise.withResolvers<void>();
    const first = await bench.start(async (batch) => {
      handle(batch);
      await finished.promise;
    });
    await bench.publisher.publish(requestEvent(1));
    await until(() => expect(handled).toEqual([1]));
    const closing = first.close();
    finished.resolve();
    await closing;
    expect(await bench.lag()).toBe(0);
  });

  it('leaves no member behind when it is stopped while it starts', async () => {
    const app = await bench.start(() => {});
    await app.close();
    expect(await bench.groupMembers()).toEqual([]);
    expect(app.server.consuming).toBe(false);
  });

  it('starts without Kafka, consumes once Kafka is reachable, and again after an outage', async () => {
    const network = await bench.network();
    network.takeDown();
    const { server, fatal } = await bench.start(handle, { times: SHORT, kafka: bench.handle(network) });
    expect(server.consuming).toBe(false);
    network.restore();
    await bench.publisher.publish(requestEvent(1));
    await until(() => expect(handled).toEqual([1]));
    expect(server.consuming).toBe(true);
    network.takeDown();
    await until(() => expect(server.consuming).toBe(false));
    network.restore();
    await bench.publisher.publish(requestEvent(2));
    await until(() => expect(handled).toContain(2));
    expect(fatal).toEqual([]);
  });

  it.each(['first join', 'rebalance'])('joins again when no broker knew the coordinator at a %s', async (when) => {
    let isCutting = when === 'first join';
    const sockets: ISocketFactory = (to) => {
      const socket = noDelaySockets(to);
      const write = socket.write.bind(socket) as (data: Buffer) => boolean;
      const cut = (data: Buffer) => {
        socket.destroy();
        return data.length > 0;
      };
      // A request begins with its length (four bytes) and its API key (two bytes).
      socket.write = (data: Buffer) =>
        isCutting && data.readInt16BE(4) === FIND_COORDINATOR ? cut(data) : write(data);
      return socket;
    };
    const { fatal } = await bench.start(handle, { times: SHORT, kafka: bench.handle({ sockets }) });
    if (when === 'rebalance') {
      await until(() => expect(bench.joins()).toBe(1));
      isCutting = true;
      await bench.start(handle, { times: SHORT });
    }
    await until(() => expect(bench.times('the consumer crashed')).toBeGreaterThan(0));
    isCutting = false;
    await bench.publisher.publish(requestEvent(1));
    await until(() => expect(handled).toEqual([1]));
    expect(fatal).toEqual([]);
  });
});
