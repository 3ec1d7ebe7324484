import { join } from 'node:path';
import { kafkaProgram } from './engines/engine-parts.js';
import { kafkaPart, newClusterId } from './parts/kafka.js';
import { freePort } from './ports.js';
import { RunningParts } from './supervise/running-parts.js';
import type { SupervisedPart } from './supervise/supervised-part.js';

/** How to start several brokers for a test. */
export interface KafkaClusterOptions {
  /** An empty folder of the cluster's own: data, logs, pid notes. */
  readonly dir: string;
  readonly brokers: number;
  /** Copies of every partition; as many as brokers by default. */
  readonly replicationFactor?: number;
  /** How many copies a confirmed message has at least; one less than the replication factor by default, but at least 1. */
  readonly minInsyncReplicas?: number;
}

/** Brokers that run, each of them a controller, too. */
export interface RunningKafkaCluster {
  /** `host:port` of every broker, as `KAFKA_BROKERS` has them. */
  readonly kafkaBrokers: string;
  /** One broker, from 1, to be stopped, killed and started again. */
  broker(nodeId: number): SupervisedPart;
  stop(): Promise<void>;
}

/** Enough for a test's messages; three of them fit beside everything else. */
const HEAP_MEGABYTES = 256;

/** Starts a cluster and resolves when every broker is ready. The brokers end with this process, however it ends. */
export async function startKafkaCluster(options: KafkaClusterOptions): Promise<RunningKafkaCluster> {
  const { dir, brokers, replicationFactor = brokers } = options;
  const { minInsyncReplicas = Math.max(1, replicationFactor - 1) } = options;
  const program = await kafkaProgram({
    say: () => {},
    fetch: { progress: () => {}, signal: new AbortController().signal },
  });
  const [ports, controllerPorts] = [new Map<number, number>(), new Map<number, number>()];
  for (let nodeId = 1; nodeId <= brokers; nodeId += 1) {
    ports.set(nodeId, await freePort());
    controllerPorts.set(nodeId, await freePort());
  }
  const cluster = { clusterId: newClusterId(), controllerPorts, replicationFactor, minInsyncReplicas };
  const parts = [...ports].map(([nodeId, port]) =>
    kafkaPart({
      ...program,
      dir: join(dir, 'data', `kafka-${nodeId}`),
      port,
      controllerPort: controllerPorts.get(nodeId) ?? 0,
      shortLived: true,
      cluster: { ...cluster, nodeId, heapMegabytes: HEAP_MEGABYTES },
    }),
  );
  const running = new RunningParts(parts, { logDir: join(dir, 'logs'), pidDir: join(dir, 'run'), tell: () => {} });
  await startAll(running);
  return {
    kafkaBrokers: [...ports.values()].map((port) => `127.0.0.1:${port}`).join(','),
    broker: (nodeId) => running.part(`kafka-${nodeId}`),
    stop: () => running.stop(),
  };
}

/** When one does not start, the others are stopped before the reason is passed on. */
async function startAll(running: RunningParts): Promise<void> {
  try {
    await Promise.race([running.start(), running.failed.then((failure) => Promise.reject(failure))]);
  } catch (error) {
    await running.stop();
    throw error;
  }
}
