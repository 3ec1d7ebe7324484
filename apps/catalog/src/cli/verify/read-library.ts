import type { Asset } from '@carbon/contracts';
import { type KafkaHandle, readTopic } from '@carbon/messaging';
import { LIBRARY_TOPIC } from '../../indexing/feed.js';
import { assetDocument } from '../../ingest/asset-document.js';
import { typeOfMessage } from '../../ingest/asset-operation.js';

/** What the topic says about one id at one position; the last one counts. */
export interface Told {
  readonly id: string;
  readonly position: bigint;
  /** As the index should hold it; undefined when the asset is withdrawn. */
  readonly document: Record<string, unknown> | undefined;
}

/** Reads the topic as the index is fed from it: what becomes a dead letter there is passed over here. */
export async function readLibrary(kafka: KafkaHandle, onTold: (told: Told) => void): Promise<void> {
  await readTopic(kafka, LIBRARY_TOPIC, ({ key: id, value, position }) => {
    // Checked against the topic's schema by readTopic; the type is lost on the way.
    const asset = value as Asset | null;
    if (typeof typeOfMessage({ key: id, value: asset }) === 'object') return;
    onTold({ id, position, document: asset === null ? undefined : assetDocument(asset) });
  });
}
