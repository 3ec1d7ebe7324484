import { setTimeout as sleep } from 'node:timers/promises';
import type { Asset } from '@carbon/contracts';
import { type KafkaHandle, readTopic, topicEnds, topicProgress } from '@carbon/messaging';
import { CommandError } from '@carbon/terminal';
import { z } from 'zod';
import type { Generation } from '../../index/generation.js';
import { consumerLag, LIBRARY_TOPIC } from '../../index/topic-progress.js';
import { assetDocument, typeOfId } from '../../ingest/asset-operation.js';
import type { OpenSearch } from '../../open-search/open-search.js';

/** The message of one id at one position of the topic; the last message of an id counts. */
export interface TopicEntry {
  readonly id: string;
  readonly position: bigint;
  /** The document that the index should contain; undefined if the asset is withdrawn. */
  readonly document: Record<string, unknown> | undefined;
}

/**
 * Reads the topic as the indexer does: ignores messages that the indexer dead-letters.
 * @throws DeadlineExceeded when no message arrives for 60 s
 */
export async function readLibrary(kafka: KafkaHandle, onEntry: (entry: TopicEntry) => void): Promise<void> {
  await readTopic(kafka, LIBRARY_TOPIC, ({ key: id, value, position }) => {
    if (typeOfId(id) === undefined) return;
    // readTopic has validated the value with the topic's schema, but does not return its type.
    const asset = value as Asset | null;
    onEntry({ id, position, document: asset === null ? undefined : assetDocument(asset) });
  });
}

const PAGE = 1_000;
const DEADLINE_MS = 30_000;
const KEEP_ALIVE = '2m';

const document = z.record(z.string(), z.unknown());
const version = z.int().transform(BigInt);
const page = z.object({
  _scroll_id: z.string(),
  timed_out: z.literal(false),
  _shards: z.object({ failed: z.literal(0) }),
  hits: z.object({ hits: z.array(z.object({ _id: z.string(), _version: version, _source: document })) }),
});
const found = z.object({
  docs: z.array(
    z.object({ _id: z.string(), found: z.boolean(), _version: version.optional(), _source: document.optional() }),
  ),
});

/** A document of the index. */
export interface Indexed {
  readonly id: string;
  readonly version: bigint;
  readonly document: Record<string, unknown>;
}

/** Yields the documents of a snapshot of an index, page by page. */
export async function* readIndex(openSearch: OpenSearch, index: string): AsyncGenerator<Indexed[]> {
  const ask = (path: string, query: Record<string, string>, body: object) =>
    openSearch.request({ method: 'POST', path, query, body }, page, DEADLINE_MS);
  let scroll: string | undefined;
  try {
    for (;;) {
      const { _scroll_id, hits }: z.output<typeof page> = scroll
        ? await ask('/_search/scroll', {}, { scroll: KEEP_ALIVE, scroll_id: scroll })
        : await ask(`/${index}/_search`, { scroll: KEEP_ALIVE }, { size: PAGE, sort: ['_doc'], version: true });
      scroll = _scroll_id;
      if (hits.hits.length === 0) return;
      yield hits.hits.map(({ _id: id, _version, _source }) => ({ id, version: _version, document: _source }));
    }
  } finally {
    const request = { method: 'DELETE', path: '/_search/scroll', body: { scroll_id: scroll } } as const;
    // A failure here must not hide one of the reads. OpenSearch removes the scroll itself after KEEP_ALIVE.
    if (scroll) await openSearch.request(request, z.unknown(), DEADLINE_MS).catch(() => {});
  }
}

/** Reads the current documents by id, including writes that searches do not see yet; omits missing documents. */
export async function readDocuments(
  openSearch: OpenSearch,
  index: string,
  ids: readonly string[],
): Promise<Map<string, Indexed>> {
  const documents = new Map<string, Indexed>();
  for (let from = 0; from < ids.length; from += PAGE) {
    const body = { ids: ids.slice(from, from + PAGE) };
    const { docs } = await openSearch.request({ method: 'POST', path: `/${index}/_mget`, body }, found, DEADLINE_MS);
    for (const { _id: id, _version, _source } of docs) {
      if (_source && _version !== undefined) documents.set(id, { id, version: _version, document: _source });
    }
  }
  return documents;
}

const POLL_MS = 200;
/** A group that commits nothing for this long has no members, or cannot write. */
export const STALL_MS = 30_000;

/** Waits until a generation has consumed every message that is on the topic now. @throws CommandError if it makes no progress */
export async function waitUntilConsumed(
  kafka: KafkaHandle,
  { name, group }: Generation,
  onWait: (left: bigint) => void,
  stallMs = STALL_MS,
): Promise<void> {
  const ends = await topicEnds(kafka, LIBRARY_TOPIC);
  let lowest: bigint | undefined;
  let progressAt = performance.now();
  for (;;) {
    const { committed } = await topicProgress(kafka, LIBRARY_TOPIC, [group]);
    const left = consumerLag(ends, committed.get(group) ?? []);
    if (left === 0n) return;
    if (lowest === undefined || left < lowest) {
      lowest = left;
      progressAt = performance.now();
    }
    if (performance.now() - progressAt > stallMs) {
      throw new CommandError(
        `${name} is ${left} ${left === 1n ? 'position' : 'positions'} behind the topic and makes no progress. Is a catalog instance running?`,
      );
    }
    onWait(left);
    await sleep(POLL_MS);
  }
}
