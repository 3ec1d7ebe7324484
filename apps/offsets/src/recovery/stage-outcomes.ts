import { createHash } from 'node:crypto';
import { fingerprint, gramsFromKg } from '@carbon/contracts';
import type { Query } from '../persistence/database.js';
import type { Outcome } from './outcomes.js';
import { RecoveryStopped } from './process-exit.js';

/**
 * Inserts outcomes into the staging tables, unless they are there. @throws RecoveryStopped where one event was
 * published with two payloads
 */
export async function stageOutcomes(query: Query, outcomes: readonly Outcome[]): Promise<void> {
  await query(
    `INSERT INTO recovered_outcomes
       (event_id, offset_id, type, payload, grams, fingerprint, traceparent, decided_at, published_at)
     SELECT event_id, offset_id, type, payload::json, grams, fingerprint, traceparent, decided_at, published_at
     FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::text[], $7::text[], $8::timestamptz[],
       $9::timestamptz[])
       AS outcome (event_id, offset_id, type, payload, grams, fingerprint, traceparent, decided_at, published_at)
     ORDER BY event_id ON CONFLICT (event_id) DO NOTHING`,
    [
      outcomes.map(({ eventId }) => eventId),
      outcomes.map(({ data }) => data.id),
      outcomes.map(({ type }) => type),
      outcomes.map(({ payload }) => payload),
      outcomes.map(gramsOf),
      outcomes.map(({ data }) => data.fingerprint ?? fingerprint(data)),
      outcomes.map(({ traceparent }) => traceparent),
      outcomes.map(({ decidedAt }) => decidedAt),
      outcomes.map(({ publishedAt }) => publishedAt.toISOString()),
    ],
  );
  await requireOnePayload(query, outcomes);
  await stageLines(query, outcomes);
}

function gramsOf({ type, data }: Outcome): string {
  return type === 'offset.completed.v1' ? data.grams : String(gramsFromKg(data.kgCO2e));
}

async function requireOnePayload(query: Query, outcomes: readonly Outcome[]): Promise<void> {
  const staged = await query<{ event_id: string; digest: string }>(
    `SELECT event_id, encode(sha256(convert_to(payload::text, 'UTF8')), 'hex') AS digest FROM recovered_outcomes
     WHERE event_id = ANY ($1)`,
    [outcomes.map(({ eventId }) => eventId)],
  );
  const digests = new Map(staged.map(({ event_id, digest }) => [event_id, digest]));
  for (const { eventId, payload } of outcomes) {
    if (digests.get(eventId) === createHash('sha256').update(payload).digest('hex')) continue;
    throw new RecoveryStopped(
      `The event ${eventId} was published with two different texts, so Kafka does not say what became of its offset. ` +
        'Restore a database from after it was decided; see docs/restore.md.',
    );
  }
}

async function stageLines(query: Query, outcomes: readonly Outcome[]): Promise<void> {
  const lines = outcomes.flatMap(({ type, data }) =>
    type === 'offset.completed.v1' ? data.retirements.map((line) => ({ ...line, of: data })) : [],
  );
  await query(
    `INSERT INTO recovered_lines
       (asset_id, sequence, offset_id, grams, price_micros, at, hash, previous_hash, registry_reference)
     SELECT asset_id, sequence, offset_id, grams, price_micros, at, decode(hash, 'hex'), decode(previous, 'hex'), reference
     FROM unnest($1::text[], $2::bigint[], $3::text[], $4::bigint[], $5::bigint[], $6::timestamptz[], $7::text[],
       $8::text[], $9::text[])
       AS line (asset_id, sequence, offset_id, grams, price_micros, at, hash, previous, reference)
     ORDER BY asset_id, sequence, offset_id ON CONFLICT (asset_id, sequence, offset_id) DO NOTHING`,
    [
      lines.map(({ asset }) => asset),
      lines.map(({ sequence }) => sequence),
      lines.map(({ of }) => of.id),
      lines.map(({ grams }) => grams),
      lines.map(({ priceMicros }) => priceMicros),
      lines.map(({ of }) => of.completedAt),
      lines.map(({ hash }) => hash),
      lines.map(({ previousHash }) => previousHash),
      lines.map(({ of }) => of.registryReference),
    ],
  );
}
