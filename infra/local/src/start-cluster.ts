import { join } from 'node:path';
import { kafkaProgram, opensearchProgram } from './engines/engine-parts.js';
import { reachableProgram } from './engines/engine-user.js';
import { type KafkaPorts, kafkaDataDir, kafkaPart, newClusterId } from './parts/kafka.js';
import { opensearchPart } from './parts/opensearch.js';
import { freePort } from './ports.js';
import type { AdaptCommand } from './supervise/part.js';
import { startParts } from './supervise/running-parts.js';
import type { SupervisedPart } from './supervise/supervised-part.js';

/** How to start several brokers for a test. */
export interface KafkaClusterOptions {
  /** An empty folder of the cluster: data, logs, pid files. */
  readonly dir: string;
  readonly brokers: number;
  /** Replicas of every partition; as many as brokers by default. */
  readonly replicationFactor?: number;
  /** The port of 127.0.0.1 that is advertised for a broker instead of its own, for example that of a proxy. */
  readonly advertisedPort?: (nodeId: number, port: number) => Promise<number> | number;
  /** Changes the command of a broker (`kafka-1`) before each of its starts. */
  readonly adapt?: AdaptCommand;
}

/** Running brokers, each of which is also a controller. */
export interface RunningKafkaCluster {
  /** `host:port` of every broker, as it is advertised, as in `KAFKA_BROKERS`. */
  readonly kafkaBrokers: string;
  /** Returns one broker, from 1, to be stopped, killed and started again. */
  broker(nodeId: number): SupervisedPart;
  /** Returns the folder of a broker's messages. */
  dataDir(nodeId: number): string;
  stop(): Promise<void>;
}

/** Enough for a test's messages; three of them fit into memory with everything else. */
const KAFKA_HEAP_MEGABYTES = 256;

/** Starts a cluster and resolves when every broker is ready. The brokers end with this process in any case. */
export async function startKafkaCluster(options: KafkaClusterOptions): Promise<RunningKafkaCluster> {
  const { dir, brokers, replicationFactor = brokers } = options;
  const program = await kafkaProgram();
  const nodes = await nodesOf(options);
  const controllerPorts = new Map(nodes.map(({ nodeId, controllerPort }) => [nodeId, controllerPort]));
  const minInsyncReplicas = Math.max(1, replicationFactor - 1);
  const cluster = { clusterId: newClusterId(), controllerPorts, replicationFactor, minInsyncReplicas };
  const folderOf = (nodeId: number) => join(dir, 'data', `kafka-${nodeId}`);
  const parts = nodes.map(({ nodeId, ...ports }) =>
    kafkaPart({
      ...program,
      ...ports,
      dir: folderOf(nodeId),
      shortLived: true,
      cluster: { ...cluster, nodeId, heapMegabytes: KAFKA_HEAP_MEGABYTES },
    }),
  );
  const running = await startParts(dir, parts, { adapt: options.adapt });
  return {
    kafkaBrokers: nodes.map(({ port, advertised }) => `127.0.0.1:${advertised?.port ?? port}`).join(','),
    broker: (nodeId) => running.part(`kafka-${nodeId}`),
    dataDir: (nodeId) => kafkaDataDir(folderOf(nodeId)),
    stop: () => running.stop(),
  };
}

interface Node extends KafkaPorts {
  readonly nodeId: number;
}

async function nodesOf({ brokers, advertisedPort }: KafkaClusterOptions): Promise<readonly Node[]> {
  const nodes: Node[] = [];
  for (let nodeId = 1; nodeId <= brokers; nodeId += 1) {
    const [port, controllerPort] = [await freePort(), await freePort()];
    const advertised = advertisedPort && {
      port: await advertisedPort(nodeId, port),
      internalPort: await freePort(),
    };
    nodes.push({ nodeId, port, controllerPort, ...(advertised && { advertised }) });
  }
  return nodes;
}

/** How to start several OpenSearch nodes for a test. */
export interface OpensearchClusterOptions {
  /** An empty folder of the cluster: data, logs, pid files. */
  readonly dir: string;
  /** The number of nodes; with fewer than three, the cluster does not survive the loss of one. */
  readonly nodes: number;
  /** Changes the command of a node (`opensearch-1`) before each of its starts. */
  readonly adapt?: AdaptCommand;
}

/** Running nodes, each of which may be the cluster manager. */
export interface RunningOpensearchCluster {
  /** The address of every node, from the first. */
  readonly urls: readonly string[];
  /** Returns one node, from 1, to be stopped, killed and started again. */
  node(nodeId: number): SupervisedPart;
  stop(): Promise<void>;
}

/** Enough for a test's library; three of them fit into memory with everything else. */
const OPENSEARCH_HEAP_MEGABYTES = 384;

/** Starts a cluster and resolves when every node has joined it. The nodes end with this process in any case. */
export async function startOpensearchCluster(options: OpensearchClusterOptions): Promise<RunningOpensearchCluster> {
  const { dir, nodes, adapt } = options;
  const program = await opensearchProgram();
  const home = await reachableProgram(program.home, 'bin/opensearch', program.user);
  const [ports, transportPorts] = [new Map<number, number>(), new Map<number, number>()];
  for (let nodeId = 1; nodeId <= nodes; nodeId += 1) {
    ports.set(nodeId, await freePort());
    transportPorts.set(nodeId, await freePort());
  }
  const parts = [...ports].map(([nodeId, port]) =>
    opensearchPart({
      ...program,
      home,
      dir,
      port,
      transportPort: transportPorts.get(nodeId) ?? 0,
      shortLived: true,
      cluster: { nodeId, transportPorts, heapMegabytes: OPENSEARCH_HEAP_MEGABYTES },
    }),
  );
  const running = await startParts(dir, parts, { adapt });
  return {
    urls: [...ports.values()].map((port) => `http://127.0.0.1:${port}`),
    node: (nodeId) => running.part(`opensearch-${nodeId}`),
    stop: () => running.stop(),
  };
}
