import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { checkPorts, freePorts, isFree } from './ports.js';

const servers: Server[] = [];
afterEach(() => Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve)))));

async function listenOn(port: number, host: string): Promise<void> {
  const server = createServer().listen({ port, host });
  servers.push(server);
  await once(server, 'listening');
}

describe('the check of the ports', () => {
  it('names every taken port with the setting that moves it', async () => {
    const ports = await freePorts();
    await listenOn(ports.KAFKA_PORT, '127.0.0.1');
    await listenOn(ports.GATEWAY_PORT, '0.0.0.0');
    await expect(checkPorts(ports, ['GATEWAY_PORT', 'KAFKA_PORT', 'POSTGRES_PORT'])).rejects.toThrow(
      `Port ${ports.GATEWAY_PORT} for gateway is taken by another program: stop that, or set GATEWAY_PORT.\n` +
        `Port ${ports.KAFKA_PORT} for kafka is taken by another program: stop that, or set KAFKA_PORT.`,
    );
  });

  it('looks only at the ports that will be used', async () => {
    const ports = await freePorts();
    await listenOn(ports.KAFKA_PORT, '127.0.0.1');
    await expect(checkPorts(ports, ['GATEWAY_PORT'])).resolves.toBeUndefined();
  });

  it('refuses one port for two parts', async () => {
    const ports = await freePorts();
    const same = { ...ports, CATALOG_PORT: ports.OFFSETS_PORT };
    await expect(checkPorts(same, ['OFFSETS_PORT', 'CATALOG_PORT'])).rejects.toThrow(
      `OFFSETS_PORT and CATALOG_PORT are both ${ports.OFFSETS_PORT}`,
    );
  });

  it('finds free ports that differ', async () => {
    const ports = Object.values(await freePorts());
    expect(new Set(ports).size).toBe(ports.length);
    for (const port of ports) expect(await isFree(port)).toBe(true);
  });
});
