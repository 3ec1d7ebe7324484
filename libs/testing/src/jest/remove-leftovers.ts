import type { EngineName } from '@carbon/local';
import { Kafka, logLevel } from 'kafkajs';
import { z } from 'zod';
import { dropDatabases } from '../fresh-database.js';
import { runPrefix } from '../fresh-prefix.js';
import { testEngines } from '../test-engines.js';

const indicesSchema = z.array(z.object({ index: z.string() }));

/** Removes from engines that outlive the run what its tests made there: databases, topics, groups, indices. */
export async function removeLeftovers(run: string, engines: readonly EngineName[]): Promise<void> {
  const prefix = runPrefix(run);
  if (engines.includes('postgres')) await dropDatabases(prefix);
  if (engines.includes('kafka')) await deleteFromKafka(prefix);
  if (engines.includes('opensearch')) await deleteIndices(prefix);
}

async function deleteFromKafka(prefix: string): Promise<void> {
  const brokers = testEngines().kafkaBrokers.split(',');
  const admin = new Kafka({ clientId: 'test-run', brokers, logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  try {
    const { groups } = await admin.listGroups();
    const groupIds = groups.map((group) => group.groupId).filter((id) => id.startsWith(prefix));
    // A group whose member was killed is not empty until its session has run out; it goes by itself later.
    if (groupIds.length > 0) await admin.deleteGroups(groupIds).catch(() => {});
    const topics = (await admin.listTopics()).filter((topic) => topic.startsWith(prefix));
    if (topics.length > 0) await admin.deleteTopics({ topics });
  } finally {
    await admin.disconnect();
  }
}

async function deleteIndices(prefix: string): Promise<void> {
  const { opensearchUrl } = testEngines();
  const within = { signal: AbortSignal.timeout(30_000) };
  const answer = await fetch(`${opensearchUrl}/_cat/indices/${prefix}*?format=json&h=index`, within);
  for (const { index } of indicesSchema.parse(await answer.json())) {
    await fetch(`${opensearchUrl}/${index}`, { ...within, method: 'DELETE' });
  }
}
