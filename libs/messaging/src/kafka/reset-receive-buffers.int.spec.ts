import type { ISocketFactory } from 'kafkajs';
import { TestKafka } from '../test-kafka.js';
import { noDelaySockets } from './no-delay-sockets.js';

const PART_OF_A_RESPONSE_BYTES = 6;

describe('a connection that is lost in the middle of a response', () => {
  it('can be opened again and used', async () => {
    let isCut = false;
    const sockets: ISocketFactory = (to) => {
      const socket = noDelaySockets(to);
      const emit = socket.emit.bind(socket) as (event: string | symbol, ...values: unknown[]) => boolean;
      socket.emit = (event: string | symbol, ...values: unknown[]) => {
        const [data] = values;
        if (!isCut || event !== 'data' || !Buffer.isBuffer(data)) return emit(event, ...values);
        isCut = false;
        emit('data', data.subarray(0, PART_OF_A_RESPONSE_BYTES));
        socket.destroy(new Error('read ECONNRESET'));
        return true;
      };
      return socket;
    };
    const admin = new TestKafka().handle(sockets).client.admin({ retry: { retries: 0 } });
    await admin.connect();
    const { clusterId } = await admin.describeCluster();
    isCut = true;
    await expect(admin.describeCluster()).rejects.toThrow();
    expect(isCut).toBe(false);
    expect(await admin.describeCluster()).toMatchObject({ clusterId });
    await admin.disconnect();
  });
});
