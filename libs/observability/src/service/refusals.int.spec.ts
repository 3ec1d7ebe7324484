import { connect } from 'node:net';
import { Module } from '@nestjs/common';
import { createLogger } from '../logging/create-logger.js';
import { managementModule } from '../management/management.module.js';
import { createService } from './create-service.js';

const MANY = 50;

@Module({ imports: [managementModule('test')] })
class TestModule {}

interface Line {
  readonly message: string;
  readonly count?: number;
}

/** Opens a connection, says something that is no request, and waits until it is closed. */
async function sayNonsense(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  socket.resume().write('nonsense\r\n\r\n');
  await new Promise((resolve) => socket.once('close', resolve));
}

it('a rush of broken requests is told in few lines, and counted in full', async () => {
  const { promise: allTold, resolve } = Promise.withResolvers<void>();
  const single: Line[] = [];
  const rests: number[] = [];
  const told = () => rests.reduce((sum, count) => sum + count, single.length);
  const stream = {
    write: (text: string) => {
      const line = JSON.parse(text) as Line;
      if (line.message === 'A request was refused before it was read') single.push(line);
      if (line.message === 'More requests were refused before they were read') rests.push(line.count ?? 0);
      if (told() >= MANY) resolve();
    },
  };
  const app = await createService(TestModule, { logger: createLogger({ app: 'test', level: 'info', stream }) });
  try {
    await app.listen({ port: 0, host: '127.0.0.1' });
    const port = Number(new URL(await app.getUrl()).port);
    await Promise.all(Array.from({ length: MANY }, () => sayNonsense(port)));
    await allTold;
    expect(told()).toBe(MANY);
    expect(single.length + rests.length).toBeLessThan(MANY);
    const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    expect(metrics).toContain(`carbon_test_http_refusals_total{status="400"} ${MANY}`);
  } finally {
    await app.close();
  }
});
