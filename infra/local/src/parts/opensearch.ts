import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { changeOwnerOfFolders, type EngineUser, ownedFolder, reachableProgram } from '../engines/engine-user.js';
import { type Jdk, jitOptions } from '../engines/jdk.js';
import type { Command } from '../processes/guarded-process.js';
import type { ProcessPart } from '../supervise/part.js';
import { respondsOk } from './app.js';

/** The options of one OpenSearch node. */
export interface OpensearchOptions {
  /** The system's folder; it, or its fallback folder, contains the node's folder. */
  readonly dir: string;
  /** The unpacked distribution. */
  readonly home: string;
  readonly jdk: Jdk;
  readonly user: EngineUser | undefined;
  readonly port: number;
  readonly transportPort: number;
  readonly environment: Readonly<Record<string, string>>;
  readonly shortLived: boolean;
  /** The cluster that the node belongs to; by default the node is a cluster of its own. */
  readonly cluster?: OpensearchClusterNode;
}

/** The cluster of a node. */
export interface OpensearchClusterNode {
  readonly nodeId: number;
  /** Transport ports by node id. */
  readonly transportPorts: ReadonlyMap<number, number>;
  readonly heapMegabytes: number;
}

const HEAP_MEGABYTES = 512;

/** Returns an OpenSearch node: a single one, or one of a cluster. */
export function opensearchPart(options: OpensearchOptions): ProcessPart {
  return {
    kind: 'process',
    name: nameOf(options),
    after: [],
    prepare: () => prepare(options),
    ready: () => respondsOk(`http://127.0.0.1:${options.port}/_cluster/health?${healthOf(options)}`),
    readyWithinMs: 300_000,
  };
}

function nameOf({ cluster }: OpensearchOptions): string {
  return cluster === undefined ? 'opensearch' : nodeName(cluster.nodeId);
}

function nodeName(nodeId: number): string {
  return `opensearch-${nodeId}`;
}

/** A node of a cluster is ready when it has a cluster manager: shards on other nodes may be missing. */
function healthOf({ cluster }: OpensearchOptions): string {
  return cluster === undefined ? 'wait_for_status=yellow&timeout=1s' : 'timeout=1s&cluster_manager_timeout=1s';
}

async function prepare(options: OpensearchOptions): Promise<Command> {
  const home = await reachableProgram(options.home, 'bin/opensearch', options.user);
  const own = ownedFolder(options.dir, nameOf(options), options.user);
  const folders = {
    config: join(own, 'config'),
    data: join(own, 'data'),
    logs: join(own, 'logs'),
    tmp: join(own, 'tmp'),
  };
  const heap = options.cluster?.heapMegabytes ?? HEAP_MEGABYTES;
  rmSync(folders.tmp, { recursive: true, force: true });
  for (const folder of Object.values(folders)) mkdirSync(folder, { recursive: true });
  cpSync(join(home, 'config/log4j2.properties'), join(folders.config, 'log4j2.properties'));
  writeFileSync(join(folders.config, 'jvm.options'), jvmOptions(heap));
  writeFileSync(join(folders.config, 'opensearch.yml'), settings(options, folders));
  changeOwnerOfFolders([own, ...Object.values(folders)], options.user);
  return {
    file: join(home, 'bin/opensearch'),
    args: [],
    cwd: own,
    env: {
      ...options.environment,
      HOME: own,
      OPENSEARCH_JAVA_HOME: options.jdk.home,
      OPENSEARCH_PATH_CONF: folders.config,
      OPENSEARCH_TMPDIR: folders.tmp,
      OPENSEARCH_JAVA_OPTS: [`-Xms${heap}m`, `-Xmx${heap}m`, '-XX:-AlwaysPreTouch', ...jitOptions(options)].join(' '),
    },
    runAs: options.user,
    stopSignal: 'SIGTERM',
    stopWithinMs: 20_000,
  };
}

/** JSON is YAML. The disk thresholds are off, so that a developer's disk at 95 % does not make the index read-only. */
function settings(options: OpensearchOptions, folders: { readonly data: string; readonly logs: string }): string {
  return JSON.stringify({
    'cluster.name': 'carbon',
    ...discovery(options),
    'network.host': '127.0.0.1',
    'http.port': options.port,
    'transport.port': options.transportPort,
    'path.data': folders.data,
    'path.logs': folders.logs,
    'action.auto_create_index': false,
    'cluster.routing.allocation.disk.threshold_enabled': false,
  });
}

function discovery({ cluster }: OpensearchOptions): Record<string, string | string[]> {
  if (cluster === undefined) return { 'node.name': 'local', 'discovery.type': 'single-node' };
  return {
    'node.name': nodeName(cluster.nodeId),
    'discovery.seed_hosts': [...cluster.transportPorts.values()].map((port) => `127.0.0.1:${port}`),
    // Used only until the cluster has been formed.
    'cluster.initial_cluster_manager_nodes': [...cluster.transportPorts.keys()].map(nodeName),
  };
}

/**
 * Returns the distribution's own options without those that write next to its programs, where we may lack permission.
 */
const jvmOptions = (heapMegabytes: number) => `-Xms${heapMegabytes}m
-Xmx${heapMegabytes}m
-XX:+UseG1GC
-XX:G1ReservePercent=25
-XX:InitiatingHeapOccupancyPercent=30
-Djava.io.tmpdir=\${OPENSEARCH_TMPDIR}
-XX:-CreateCoredumpOnCrash
20-:--add-modules=jdk.incubator.vector
21-:-javaagent:agent/opensearch-agent.jar
21-:--add-opens=java.base/java.nio=org.apache.arrow.memory.core,ALL-UNNAMED
-Dorg.apache.lucene.store.MMapDirectory.sharedArenaMaxPermits=1
`;
