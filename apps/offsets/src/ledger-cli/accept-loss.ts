import { type KafkaHandle, kafkaHint } from '@carbon/messaging';
import pg from 'pg';
import { countLost, judgeStarts, type LostRequests } from '../domain/request-start.js';
import type { Query } from '../persistence/database.js';
import { databaseAdvice, databaseReason } from '../persistence/database-advice.js';
import { FenceHolder } from '../persistence/fence.js';
import { lookAtRequests } from '../recovery/look-at-requests.js';
import { resetRequestPositions } from '../recovery/request-positions.js';
import { NoAnswer } from './snapshot.js';

const CONNECT_MS = 5_000;
const STATEMENT_MS = 10_000;

/** What is lost, and whether it is accepted now. */
export interface Acceptance {
  readonly lost: readonly LostRequests[];
  readonly isAccepted: boolean;
}

/**
 * Lets the service go on without the requests that Kafka has deleted before PostgreSQL held them, if they are as many as the
 * person says. Positions are set to where Kafka's log begins; the processes that wait see it within seconds.
 */
export async function acceptLoss(kafka: KafkaHandle, url: string, messages: bigint | undefined): Promise<Acceptance> {
  return asked(url, async (query) => {
    const { identity, partitions } = await lookAtRequests(kafka, query);
    const { lost } = judgeStarts(partitions);
    if (lost.length === 0 || countLost(lost) !== messages) return { lost, isAccepted: false };
    const begins = new Map(lost.map(({ partition, before }) => [partition, before]));
    await resetRequestPositions(query, identity, begins);
    return { lost, isAccepted: true };
  });
}

async function asked<T>(url: string, work: (query: Query) => Promise<T>): Promise<T> {
  const session = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_MS,
    // The client's own: PgBouncer refuses start-up parameters.
    query_timeout: STATEMENT_MS,
    application_name: 'offsets ledger',
  });
  // Unheard, an error between two statements would end the process; the next statement says it as well.
  session.on('error', () => {});
  try {
    await session.connect();
    const ask = async <Row extends object>(sql: string, parameters: readonly unknown[] = []): Promise<Row[]> =>
      (await session.query(sql, [...parameters])).rows;
    // Nothing is decided here, so no fence is held.
    return await work(Object.assign(ask, { fence: new FenceHolder() }));
  } catch (cause) {
    const advice = databaseAdvice(cause) ?? kafkaHint(cause) ?? 'Do DATABASE_URL and KAFKA_BROKERS name what runs?';
    throw new NoAnswer(`PostgreSQL or Kafka could not be asked: ${databaseReason(cause)}. ${advice}`, { cause });
  } finally {
    await session.end().catch(() => {});
  }
}
