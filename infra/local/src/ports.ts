import { randomInt } from 'node:crypto';
import { connect, createServer } from 'node:net';

/** Every port of the system, by its setting, with the listener's name. */
export const PORTS = {
  GATEWAY_PORT: { port: 3000, of: 'gateway' },
  OFFSETS_PORT: { port: 3001, of: 'offsets' },
  CATALOG_PORT: { port: 3002, of: 'catalog' },
  KAFKA_PORT: { port: 29092, of: 'kafka' },
  KAFKA_CONTROLLER_PORT: { port: 29093, of: 'kafka' },
  OPENSEARCH_PORT: { port: 29200, of: 'opensearch' },
  OPENSEARCH_TRANSPORT_PORT: { port: 29300, of: 'opensearch' },
  POSTGRES_PORT: { port: 25432, of: 'postgres' },
} as const;

export type PortSetting = keyof typeof PORTS;
export type Ports = Readonly<Record<PortSetting, number>>;

/** Thrown when ports are in use, or two parts have the same one; the message names each with its setting. */
export class PortsTaken extends Error {
  override readonly name = 'PortsTaken';
}

/** Checks for ports that another program uses and ports of two parts. @throws PortsTaken with all of them */
export async function checkPorts(ports: Ports, used: readonly PortSetting[]): Promise<void> {
  const conflicts: string[] = [];
  for (const setting of used) {
    const port = ports[setting];
    const other = used.find((candidate) => candidate !== setting && ports[candidate] === port);
    if (other !== undefined) conflicts.push(`${setting} and ${other} are both ${port}: give them different ports.`);
    else {
      const error = await listenError(port);
      const listener = `Port ${port} for ${PORTS[setting].of}`;
      if (error === 'EACCES') conflicts.push(`${listener} is not open to this user: set ${setting} to 1024 or higher.`);
      else if (error !== undefined)
        conflicts.push(`${listener} is taken by another program: stop that, or set ${setting}.`);
    }
  }
  if (conflicts.length > 0) throw new PortsTaken(conflicts.join('\n'));
}

/** Returns why a port cannot be used: EADDRINUSE if a program answers on it, else the error of listening; undefined if it is free. */
async function listenError(port: number): Promise<string | undefined> {
  // Clients of `localhost` may try ::1 first.
  for (const host of ['127.0.0.1', '::1']) if (await answers(port, host)) return 'EADDRINUSE';
  return tryToListen(port);
}

/** Below the range from which systems take ports for outgoing connections, so that none is used meanwhile. */
const [LOWEST, HIGHEST] = [12_000, 32_000];
const assigned = new Set<number>();

/** Returns random free ports for a whole system; this process never returns the same port twice. */
export async function freePorts(): Promise<Ports> {
  const entries: [string, number][] = [];
  for (const setting of Object.keys(PORTS)) entries.push([setting, await freePort()]);
  return Object.fromEntries(entries) as Ports;
}

/** One free port; see freePorts. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(LOWEST, HIGHEST);
    if (assigned.has(port) || (await listenError(port)) !== undefined) continue;
    assigned.add(port);
    return port;
  }
}

/** Returns whether a program accepts connections at a port of this machine. */
export function answers(port: number, host = '127.0.0.1'): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host });
    const settle = (answered: boolean) => {
      socket.destroy();
      resolve(answered);
    };
    socket.once('connect', () => settle(true));
    socket.once('error', () => settle(false));
  });
}

function tryToListen(port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code ?? 'unknown'));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}
