import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createKafka } from '@carbon/messaging';
import { classArchiveOptions, type Jdk, jitOptions } from '../engines/jdk.js';
import type { Command } from '../processes/guarded-process.js';
import type { ProcessPart } from '../supervise/part.js';
import type { RunToEnd } from '../supervise/run-to-end.js';

/** The ports of a Kafka node. */
export interface KafkaPorts {
  readonly port: number;
  readonly controllerPort: number;
  /**
   * The port that is advertised to clients instead of its own, and one for connections among brokers and from the
   * launcher.
   */
  readonly advertised?: { readonly port: number; readonly internalPort: number };
}

/** Returns the settings of a node's listeners, without TLS. */
function listenerProperties({ port, controllerPort, advertised }: KafkaPorts): Record<string, string> {
  const [client, controller] = [`PLAINTEXT://127.0.0.1:${port}`, `CONTROLLER://127.0.0.1:${controllerPort}`];
  const protocols = 'CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT';
  if (advertised === undefined) {
    return {
      listeners: `${client},${controller}`,
      'advertised.listeners': client,
      'listener.security.protocol.map': protocols,
    };
  }
  const internal = `INTERNAL://127.0.0.1:${advertised.internalPort}`;
  return {
    listeners: `${client},${internal},${controller}`,
    'advertised.listeners': `PLAINTEXT://127.0.0.1:${advertised.port},${internal}`,
    'inter.broker.listener.name': 'INTERNAL',
    'listener.security.protocol.map': `${protocols},INTERNAL:PLAINTEXT`,
  };
}

/** The options of one Kafka node (broker and controller in one). */
export interface KafkaOptions extends KafkaPorts {
  /** Its folder, kept between runs. */
  readonly dir: string;
  /** The folder with Kafka's jars. */
  readonly libs: string;
  readonly jdk: Jdk;
  readonly environment: Readonly<Record<string, string>>;
  /** Broker settings that override ours. */
  readonly properties?: Readonly<Record<string, string | number | boolean>>;
  /** For `StorageTool format`, such as users. */
  readonly formatArguments?: readonly string[];
  readonly shortLived: boolean;
  /** The cluster that the node belongs to; by default the node is a cluster of its own. */
  readonly cluster?: KafkaClusterNode;
}

/** The cluster of a node. */
export interface KafkaClusterNode {
  readonly nodeId: number;
  /** The same for all nodes. */
  readonly clusterId: string;
  /** Controller ports by node id. */
  readonly controllerPorts: ReadonlyMap<number, number>;
  readonly replicationFactor: number;
  readonly minInsyncReplicas: number;
  readonly heapMegabytes: number;
}

const NODE_ID = 1;

/** Returns a Kafka node in KRaft mode: a single one, or one of a cluster. */
export function kafkaPart(options: KafkaOptions): ProcessPart {
  return {
    kind: 'process',
    name: options.cluster === undefined ? 'kafka' : `kafka-${options.cluster.nodeId}`,
    after: [],
    prepare: (run) => prepare(options, run),
    ready: () => ready(options),
    readyWithinMs: 180_000,
  };
}

/** The subfolder of a node's messages. */
export function kafkaDataDir(dir: string): string {
  return join(dir, 'log');
}

async function prepare(options: KafkaOptions, run: RunToEnd): Promise<Command> {
  mkdirSync(options.dir, { recursive: true });
  const logDir = kafkaDataDir(options.dir);
  const properties = join(options.dir, 'server.properties');
  writeFileSync(join(options.dir, 'log4j2.properties'), LOGGING);
  writeFileSync(properties, serverProperties(options, logDir));
  if (!existsSync(join(logDir, 'meta.properties'))) await format(options, properties, logDir, run);
  return java(options, ['kafka.Kafka', properties], classArchiveOptions(options, join(options.dir, 'classes.jsa')));
}

/** Formats the empty folder with its cluster id, once. The folder of an interrupted attempt contains no data yet. */
async function format(options: KafkaOptions, properties: string, logDir: string, run: RunToEnd): Promise<void> {
  rmSync(logDir, { recursive: true, force: true });
  const clusterId = options.cluster?.clusterId ?? newClusterId();
  const args = ['format', '-t', clusterId, '-c', properties, ...(options.formatArguments ?? [])];
  await run(java(options, ['kafka.tools.StorageTool', ...args]), 60_000);
}

/**
 * Returns a valid cluster id. One in 64 random ids begins with a dash and would be parsed as an option; Kafka does not
 * generate those either.
 */
export function newClusterId(): string {
  const id = Buffer.from(randomUUID().replaceAll('-', ''), 'hex').toString('base64url');
  return id.startsWith('-') ? newClusterId() : id;
}

function java(options: KafkaOptions, args: readonly string[], more: readonly string[] = []): Command {
  return {
    file: join(options.jdk.home, 'bin', 'java'),
    args: [
      `-Xmx${options.cluster?.heapMegabytes ?? 512}m`,
      '-XX:+UseSerialGC',
      ...jitOptions(options),
      ...more,
      `-Dlog4j2.configurationFile=${join(options.dir, 'log4j2.properties')}`,
      '-cp',
      join(options.libs, '*'),
      ...args,
    ],
    cwd: options.dir,
    env: { ...options.environment },
    stopSignal: 'SIGTERM',
    stopWithinMs: 20_000,
  };
}

/**
 * With these session and heartbeat times a killed broker is back in 5 s instead of 15 (it waits until its own old
 * registration expires); the replication factors are 1 if there is one node.
 */
function serverProperties(options: KafkaOptions, logDir: string): string {
  const { nodeId = NODE_ID, replicationFactor: copies = 1, minInsyncReplicas: inSync = 1 } = options.cluster ?? {};
  const controllers = options.cluster?.controllerPorts ?? new Map([[nodeId, options.controllerPort]]);
  return properties({
    'process.roles': 'broker,controller',
    'node.id': nodeId,
    'controller.quorum.voters': [...controllers].map(([id, port]) => `${id}@127.0.0.1:${port}`).join(','),
    'controller.listener.names': 'CONTROLLER',
    ...listenerProperties(options),
    'log.dirs': logDir,
    'broker.session.timeout.ms': 2000,
    'broker.heartbeat.interval.ms': 500,
    'offsets.topic.num.partitions': 3,
    'default.replication.factor': copies,
    'min.insync.replicas': inSync,
    'offsets.topic.replication.factor': copies,
    'transaction.state.log.replication.factor': copies,
    'transaction.state.log.min.isr': inSync,
    'share.coordinator.state.topic.replication.factor': copies,
    'share.coordinator.state.topic.min.isr': inSync,
    'auto.create.topics.enable': false,
    'group.initial.rebalance.delay.ms': 0,
    // The default of 128 MB is a quarter of this heap.
    'log.cleaner.dedupe.buffer.size': 16 * 1024 * 1024,
    ...options.properties,
  });
}

function properties(values: Readonly<Record<string, string | number | boolean>>): string {
  const lines = Object.entries(values).map(([name, value]) => `${name}=${value}`);
  return `${lines.join('\n')}\n`;
}

/** Ready when the cluster lists the node among its brokers. The advertised address may be unreachable meanwhile. */
async function ready({ port, advertised, cluster }: KafkaOptions): Promise<boolean> {
  const { client } = createKafka({ brokers: [`127.0.0.1:${advertised?.internalPort ?? port}`], clientId: 'launcher' });
  const admin = client.admin({ retry: { retries: 0 } });
  try {
    await admin.connect();
    const { brokers } = await admin.describeCluster();
    return brokers.some(({ nodeId }) => nodeId === (cluster?.nodeId ?? NODE_ID));
  } finally {
    await admin.disconnect();
  }
}

const LOGGING = `rootLogger.level=warn
rootLogger.appenderRefs=out
rootLogger.appenderRef.out.ref=out
appender.out.type=Console
appender.out.name=out
appender.out.layout.type=PatternLayout
appender.out.layout.pattern=%d{ISO8601} %p %c %m%n
`;
