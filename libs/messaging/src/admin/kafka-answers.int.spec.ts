import net from 'node:net';
import { TestKafka } from '../test-kafka.js';
import { kafkaAnswers } from './kafka-answers.js';

describe('asking whether Kafka answers', () => {
  it('is over in seconds when a broker takes connections and never answers, and asks another one the next time', async () => {
    const taken: net.Socket[] = [];
    const deaf = net.createServer((socket) => void taken.push(socket.on('error', () => {})));
    await new Promise<void>((resolve) => deaf.listen(0, '127.0.0.1', resolve));
    const test = new TestKafka();
    const kafka = test.handle(undefined, [`127.0.0.1:${(deaf.address() as net.AddressInfo).port}`, ...test.brokers]);
    const begun = performance.now();
    const answers = [await kafkaAnswers(kafka), await kafkaAnswers(kafka)];
    expect(answers.sort()).toEqual([false, true]);
    // kafkajs goes on for half a minute.
    expect(performance.now() - begun).toBeLessThan(15_000);
    for (const socket of taken) socket.resetAndDestroy();
    deaf.close();
  });
});
