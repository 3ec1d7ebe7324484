import { join } from 'node:path';
import {
  type Command,
  type RunningKafkaCluster,
  type RunningOpensearchCluster,
  type SupervisedPart,
  startEngines,
  startKafkaCluster,
  startOpensearchCluster,
  startTcpProxy,
  type TcpProxy,
} from '@carbon/local';
import type { Clocks } from './clocks.js';
import type { Shape } from './shape.js';
import { SmallDisk } from './small-disk.js';

/** The PostgreSQL server that the apps write to; after a promotion it is another one. */
export interface PostgresServer {
  readonly part: SupervisedPart;
  /** Without the proxy. */
  readonly url: string;
}

/** The options of the engines. */
export interface EnginesOptions {
  readonly dir: string;
  readonly shape: Pick<Shape, 'brokers' | 'searchNodes'>;
  readonly clocks: Clocks;
  /** Whether PostgreSQL and the first broker get small disks that can be filled; needs root. */
  readonly smallDisks: boolean;
  readonly say: (sentence: string) => void;
}

/** The engines, each with its own proxy, so that its network can fail. */
export class Engines {
  private constructor(
    readonly dir: string,
    readonly kafka: RunningKafkaCluster,
    /** By broker; the first is that of broker 1. */
    readonly kafkaProxies: readonly TcpProxy[],
    readonly search: RunningOpensearchCluster,
    /** By node. */
    readonly searchProxies: readonly TcpProxy[],
    readonly postgresProxy: TcpProxy,
    public postgres: PostgresServer,
    /** Of PostgreSQL and of the first broker. */
    readonly disks: Readonly<Record<'postgres' | 'kafka', SmallDisk>> | undefined,
    private readonly stopWhatWasStarted: () => Promise<void>,
  ) {}

  /** One after the other, because starting them concurrently would take longer on two cores. */
  static async start({ dir, shape, clocks, smallDisks, say }: EnginesOptions): Promise<Engines> {
    const adapt = (part: string, command: Command) => clocks.adaptEngine(part, command);
    const disks = smallDisks
      ? {
          postgres: new SmallDisk(join(dir, 'data', 'postgres')),
          kafka: new SmallDisk(join(dir, 'kafka', 'data', 'kafka-1')),
        }
      : undefined;
    const processes: { stop(): Promise<void> }[] = [];
    const proxies: TcpProxy[] = [];
    const stop = async () => {
      await Promise.all(processes.map((one) => one.stop()));
      await Promise.all(proxies.map((proxy) => proxy.close()));
      for (const disk of Object.values(disks ?? {})) disk.remove();
    };
    const proxyTo = async (port: number) => {
      const proxy = await startTcpProxy({ targets: [port] });
      proxies.push(proxy);
      return proxy;
    };
    try {
      say('PostgreSQL');
      const postgres = await startEngines({ dir, which: ['postgres'], adapt, shortLived: true });
      processes.push(postgres);
      const url = new URL(postgres.addresses.databaseUrl ?? '');
      const postgresProxy = await proxyTo(Number(url.port));
      say('Kafka');
      const kafkaProxies: TcpProxy[] = [];
      const kafka = await startKafkaCluster({
        dir: join(dir, 'kafka'),
        brokers: shape.brokers,
        adapt,
        advertisedPort: async (nodeId, port) => {
          const proxy = await proxyTo(port);
          kafkaProxies[nodeId - 1] = proxy;
          return proxy.port;
        },
      });
      processes.push(kafka);
      say('OpenSearch');
      const search = await startOpensearchCluster({ dir: join(dir, 'search'), nodes: shape.searchNodes, adapt });
      processes.push(search);
      const searchProxies: TcpProxy[] = [];
      for (const node of search.urls) searchProxies.push(await proxyTo(Number(new URL(node).port)));
      const server = { part: postgres.part('postgres'), url: url.href };
      return new Engines(dir, kafka, kafkaProxies, search, searchProxies, postgresProxy, server, disks, stop);
    } catch (error) {
      await stop();
      throw error;
    }
  }

  /** The addresses through the proxies. @param database the name of an existing database */
  addresses(database: string): { kafkaBrokers: string; databaseUrl: string; opensearchUrl: string } {
    const databaseUrl = new URL(this.postgres.url);
    databaseUrl.port = String(this.postgresProxy.port);
    databaseUrl.pathname = `/${database}`;
    return {
      kafkaBrokers: this.kafka.kafkaBrokers,
      databaseUrl: databaseUrl.href,
      opensearchUrl: this.searchProxies.map(({ port }) => `http://127.0.0.1:${port}`).join(','),
    };
  }

  /** Returns the process of each broker. */
  get brokers(): readonly SupervisedPart[] {
    return this.kafkaProxies.map((_, at) => this.kafka.broker(at + 1));
  }

  /** Returns the process of each search node. */
  get searchNodes(): readonly SupervisedPart[] {
    return this.searchProxies.map((_, at) => this.search.node(at + 1));
  }

  /** Redirects the apps to another server at the same address. */
  usePostgres(server: PostgresServer): void {
    this.postgres = server;
    this.postgresProxy.targets = [Number(new URL(server.url).port)];
    this.postgresProxy.cut();
  }

  async stop(): Promise<void> {
    await this.postgres.part.stop();
    await this.stopWhatWasStarted();
  }
}
