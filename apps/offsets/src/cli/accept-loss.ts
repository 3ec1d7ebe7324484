import { type KafkaHandle, kafkaHint } from '@carbon/messaging';
import { UnavailableError } from '@carbon/terminal';
import { countLost, judgeStarts, type LostRequests } from '../domain/positions.js';
import type { Query } from '../persistence/database.js';
import { databaseHint, databaseReason } from '../persistence/database-errors.js';
import { FenceHolder } from '../persistence/fence.js';
import { readRequestProgress, resetRequestPositions } from '../recovery/request-positions.js';
import { ledgerSession } from './snapshot.js';

const STATEMENT_MS = 10_000;

/** What is lost, and whether it is accepted now. */
export interface Acceptance {
  readonly lost: readonly LostRequests[];
  readonly isAccepted: boolean;
}

/**
 * Lets the service continue without the requests that Kafka has deleted before PostgreSQL had them, if their number is
 * `messages`. Positions are set to the beginning of Kafka's log; waiting processes see it within seconds.
 *
 * @throws UnavailableError when PostgreSQL or Kafka does not answer
 */
export async function acceptLoss(kafka: KafkaHandle, url: string, messages: bigint | undefined): Promise<Acceptance> {
  return await withQuery(url, async (query) => {
    const { identity, partitions } = await readRequestProgress(kafka, query);
    const { lost } = judgeStarts(partitions);
    if (lost.length === 0 || countLost(lost) !== messages) return { lost, isAccepted: false };
    const begins = new Map(lost.map(({ partition, before }) => [partition, before]));
    await resetRequestPositions(query, identity, begins);
    return { lost, isAccepted: true };
  });
}

async function withQuery<T>(url: string, work: (query: Query) => Promise<T>): Promise<T> {
  // The time-out of the client: PgBouncer refuses start-up parameters.
  const session = ledgerSession(url, { query_timeout: STATEMENT_MS });
  try {
    await session.connect();
    const query = async <Row extends object>(sql: string, parameters: readonly unknown[] = []): Promise<Row[]> =>
      (await session.query(sql, [...parameters])).rows;
    // Nothing is decided here, so no fence is held.
    return await work(Object.assign(query, { fence: new FenceHolder() }));
  } catch (cause) {
    const hint = databaseHint(cause) ?? kafkaHint(cause) ?? 'Do DATABASE_URL and KAFKA_BROKERS name what runs?';
    throw new UnavailableError(`PostgreSQL or Kafka does not answer: ${databaseReason(cause)}. ${hint}`);
  } finally {
    await session.end().catch(() => {});
  }
}
