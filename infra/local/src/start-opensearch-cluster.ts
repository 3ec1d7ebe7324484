import { join } from 'node:path';
import { opensearchProgram } from './engines/engine-parts.js';
import { reachableProgram } from './engines/reach.js';
import { opensearchPart } from './parts/opensearch.js';
import { freePort } from './ports.js';
import type { AdaptCommand } from './supervise/part.js';
import { RunningParts } from './supervise/running-parts.js';
import type { SupervisedPart } from './supervise/supervised-part.js';

/** How to start several OpenSearch nodes for a test. */
export interface OpensearchClusterOptions {
  /** An empty folder of the cluster's own: data, logs, pid notes. */
  readonly dir: string;
  /** How many; with fewer than three, the cluster does not survive the loss of one. */
  readonly nodes: number;
  /** Changes the command of a node (`opensearch-1`) before each of its starts. */
  readonly adapt?: AdaptCommand;
}

/** Nodes that run, each of which may be the cluster manager. */
export interface RunningOpensearchCluster {
  /** The address of every node, from the first. */
  readonly urls: readonly string[];
  /** One node, from 1, to be stopped, killed and started again. */
  node(nodeId: number): SupervisedPart;
  stop(): Promise<void>;
}

/** Enough for a test's library; three of them fit beside everything else. */
const HEAP_MEGABYTES = 384;

/** Starts a cluster and resolves when every node has joined it. The nodes end with this process, however it ends. */
export async function startOpensearchCluster(options: OpensearchClusterOptions): Promise<RunningOpensearchCluster> {
  const { dir, nodes, adapt } = options;
  const program = await opensearchProgram({
    say: () => {},
    fetch: { progress: () => {}, signal: new AbortController().signal },
  });
  // Were it copied for its user, each node would copy it, side by side to the same place.
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
      cluster: { nodeId, transportPorts, heapMegabytes: HEAP_MEGABYTES },
    }),
  );
  const folders = { logDir: join(dir, 'logs'), pidDir: join(dir, 'run') };
  const running = new RunningParts(parts, { ...folders, tell: () => {}, adapt });
  await running.startOrStop();
  return {
    urls: [...ports.values()].map((port) => `http://127.0.0.1:${port}`),
    node: (nodeId) => running.part(`opensearch-${nodeId}`),
    stop: () => running.stop(),
  };
}
