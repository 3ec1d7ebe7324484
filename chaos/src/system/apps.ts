import { join } from 'node:path';
import { type Command, freePorts, type RunningSystem, startSystem, startTcpProxy, type TcpProxy } from '@carbon/local';
import type { Clocks } from './clocks.js';
import type { Engines } from './engines.js';
import type { Shape } from './shape.js';

/** The options of the apps. */
export interface AppsOptions {
  readonly dir: string;
  readonly engines: Engines;
  readonly shape: Shape;
  readonly clocks: Clocks;
  /** The prefix of their database, topics and indices on the engines. Letters and digits. */
  readonly name: string;
  /** Settings of the offsets service besides the usual ones. */
  readonly offsetsSettings?: Readonly<Record<string, string>>;
  /** Changes the commands of apps and steps, for example to those of another checkout. */
  readonly adapt?: (command: Command) => Command;
}

/**
 * The apps, with one address for all processes of the offsets service and of the catalog, like behind a load balancer.
 */
export interface Apps {
  readonly running: RunningSystem;
  readonly gateways: readonly string[];
  stop(): Promise<void>;
}

/** Starts the apps on running engines, with their own database, topics and indices. */
export async function startApps(options: AppsOptions): Promise<Apps> {
  const { dir, engines, shape, clocks, name, adapt = (command) => command } = options;
  const ports = await freePorts();
  const balancers = {
    offsets: await startTcpProxy({ targets: [ports.OFFSETS_PORT] }),
    catalog: await startTcpProxy({ targets: [ports.CATALOG_PORT] }),
  };
  const address = ({ port }: TcpProxy) => `http://127.0.0.1:${port}`;
  const upstream = { OFFSETS_URL: address(balancers.offsets), CATALOG_URL: address(balancers.catalog) };
  const closeBalancers = () => Promise.all(Object.values(balancers).map((balancer) => balancer.close()));
  try {
    const running = await startSystem({
      dir: join(dir, name),
      ports,
      engines: engines.addresses(name),
      topicPrefix: `${name}-`,
      indexPrefix: `${name}-`,
      apps: {
        gateway: { instances: shape.gateways, environment: upstream },
        offsets: { instances: shape.offsets, environment: options.offsetsSettings ?? {} },
        catalog: { instances: shape.catalogs },
      },
      adapt: (part, command) => (isApp(part) ? clocks.adaptApp(`${name}-${part}`, adapt(command)) : adapt(command)),
    });
    const urlsOf = (app: keyof typeof balancers | 'gateway', count: number) =>
      instances(app, count).map((part) => running.part(part).url ?? '');
    for (const app of ['offsets', 'catalog'] as const)
      balancers[app].targets = urlsOf(app, shape[app === 'offsets' ? 'offsets' : 'catalogs']).map(portOf);
    let stopping: Promise<unknown> | undefined;
    return {
      running,
      gateways: urlsOf('gateway', shape.gateways),
      stop: async () => {
        stopping ??= running.stop().then(closeBalancers);
        await stopping;
      },
    };
  } catch (error) {
    await closeBalancers();
    throw error;
  }
}

/** Returns the names of an app's processes. */
export function instances(app: string, count: number): string[] {
  return Array.from({ length: count }, (_, at) => (at === 0 ? app : `${app}-${at + 1}`));
}

function isApp(part: string): boolean {
  return /^(gateway|offsets|catalog)(-\d+)?$/.test(part);
}

function portOf(url: string): number {
  return Number(new URL(url).port);
}
