import { type KafkaHandle, withAdmin } from '@carbon/messaging';
import type { Fault, FaultContext } from '../fault.js';
import type { ChaosSystem, Kind } from '../system/chaos-system.js';

type Admin = ReturnType<KafkaHandle['client']['admin']>;

const POLL_MS = 200;
const TOPIC = 'offset.requested';
const MOVES = 5;
const DOWN_MS = [4_000, 8_000] as const;
const GROW_BY = 4;
const EMPTY_TIMEOUT_MS = 30_000;

async function partitionsOf(admin: Admin, topic: string) {
  const { topics } = await admin.fetchTopicMetadata({ topics: [topic] });
  return topics[0]?.partitions ?? [];
}

/** Removes some partitions from their leader, so that it is no replica any more, and adds it again. */
async function moveLeaders({ system, random, pause }: FaultContext): Promise<void> {
  const topic = system.kafka.names.topic(TOPIC);
  await withAdmin(
    system.kafka,
    async (admin) => {
      for (let move = 0; move < MOVES; move += 1) {
        const chosen = random.shuffle(await partitionsOf(admin, topic)).slice(0, 4);
        for (const withLeader of [false, true]) {
          const partitionAssignment = chosen.map(({ partitionId: partition, leader, replicas }) => {
            const others = random.shuffle(replicas.filter((replica) => replica !== leader));
            return { partition, replicas: withLeader ? [...others, leader] : others };
          });
          await admin.alterPartitionReassignments({ topics: [{ topic, partitionAssignment }] });
          await reassigned(admin, topic, pause);
        }
      }
      // One attempt: another would choose other partitions, and leave those of a half-done move without a replica.
    },
    1,
  );
}

async function reassigned(admin: Admin, topic: string, pause: FaultContext['pause']): Promise<void> {
  for (;;) {
    const partitions = (await partitionsOf(admin, topic)).map(({ partitionId }) => partitionId);
    const { topics } = await admin.listPartitionReassignments({ topics: [{ topic, partitions }] });
    if (topics.length === 0) return;
    await pause(POLL_MS);
  }
}

/** Nothing can be confirmed while two of three brokers are down: POST responds with 503. */
async function twoBrokersDown({ system, random, pause }: FaultContext): Promise<void> {
  const two = random.shuffle(system.parts('kafka')).slice(0, 2);
  await Promise.all(two.map((broker) => broker.stop()));
  await pause(random.whole(...DOWN_MS));
  await Promise.all(two.map((broker) => broker.start()));
}

/**
 * Kafka's positions of an app are deleted: the catalog reads everything again, offsets from the positions in
 * PostgreSQL.
 */
async function resetGroups({ system, random, pause }: FaultContext): Promise<void> {
  const kind = random.pick(['offsets', 'catalog'] as const);
  for (const part of system.parts(kind)) await part.stop();
  try {
    await deleteGroups(system, kind, pause);
  } finally {
    for (const part of system.parts(kind)) await part.start();
  }
}

/** Connections may be closed meanwhile, and a killed member stays in its group until its session expires. */
async function deleteGroups(system: ChaosSystem, kind: Kind, pause: FaultContext['pause']): Promise<void> {
  let hasFound = false;
  let refusal: unknown;
  for (const end = performance.now() + EMPTY_TIMEOUT_MS; performance.now() < end; await pause(POLL_MS)) {
    try {
      const left = await withAdmin(system.kafka, (admin) => groupsOf(system, admin, kind));
      if (left.length === 0 && hasFound) return;
      hasFound ||= left.length > 0;
      await withAdmin(system.kafka, (admin) => admin.deleteGroups(left));
    } catch (error) {
      refusal = error;
    }
  }
  throw new Error(`the groups of ${kind} cannot be deleted`, { cause: refusal });
}

async function groupsOf({ kafka }: ChaosSystem, admin: Admin, kind: Kind): Promise<string[]> {
  const { groups } = await admin.listGroups();
  return groups.map(({ groupId }) => groupId).filter((id) => id.startsWith(kafka.names.group(kind)));
}

async function growPartitions({ system }: FaultContext): Promise<void> {
  const partitions = await withAdmin(system.kafka, (admin) => partitionsOf(admin, system.kafka.names.topic(TOPIC)));
  await system.command(['topics'], { OFFSET_PARTITIONS: String(partitions.length + GROW_BY) });
}

/** Failures of brokers, partitions and consumer groups. */
export const faults: readonly Fault[] = [
  {
    name: 'move-leaders',
    does: 'partitions of offset.requested move to other leaders, five times',
    times: { ci: 1, full: 2 },
    needs: ['three brokers'],
    inject: moveLeaders,
  },
  {
    name: 'two-brokers-down',
    does: 'two of three brokers are down',
    times: { ci: 1, full: 2 },
    needs: ['three brokers'],
    inject: twoBrokersDown,
  },
  {
    name: 'reset-groups',
    does: 'the consumer groups of an app are deleted, with their positions',
    times: { smoke: 1, ci: 1, full: 2 },
    inject: resetGroups,
  },
  {
    name: 'grow-partitions',
    does: `every offset.* topic gets ${GROW_BY} partitions more under load`,
    times: { full: 2 },
    inject: growPartitions,
  },
];
