import { assetSchema, fingerprint, gramsFromKg, offsetRequestedV1, type TopicName } from '@carbon/contracts';
import { invalidReason, type MessageContent } from '@carbon/messaging';

/** Why a dead letter is not replayed. */
export interface Rejection {
  readonly code:
    | 'no_dead_letter'
    | 'original_gone'
    | 'still_invalid'
    | 'contradiction'
    | 'idempotency_conflict'
    | 'newer_asset'
    | 'too_large';
  /** What is wrong, for a person. */
  readonly detail: string;
  /** Whether `--force` overrides the rejection. */
  readonly canBeForced: boolean;
}

/** Corrections of one message. */
export interface Corrections {
  readonly value?: Buffer | undefined;
  readonly key?: string | undefined;
  /** The event type, for the header `ce_type`. */
  readonly type?: string | undefined;
}

/** Returns the message with the corrections; everything else stays, byte for byte. */
export function corrected(message: MessageContent, { value, key, type }: Corrections): MessageContent {
  return {
    key: key === undefined ? message.key : Buffer.from(key),
    value: value ?? message.value,
    headers: {
      ...message.headers,
      ...(type !== undefined && { ce_type: type }),
      ...(key !== undefined && { ce_subject: key }),
    },
  };
}

/** Whether anything is corrected. */
export function hasCorrections({ value, key, type }: Corrections): boolean {
  return value !== undefined || key !== undefined || type !== undefined;
}

/**
 * Returns why the message would fail again, or do worse: a request whose grams or fingerprint contradict its content is recorded as a
 * failed offset, and its id is then spent. So the checks of the handler are made here first; and a message whose key is not its id is rejected.
 */
export function replayRejection(topic: TopicName, message: MessageContent): Rejection | undefined {
  const error = invalidReason(topic, message);
  // `contradiction` names the key and the id of a mismatch.
  if (error !== undefined && error.code !== 'key_mismatch') {
    return { code: 'still_invalid', detail: `it would fail again: ${error.code}: ${error.detail}`, canBeForced: true };
  }
  const data: unknown = message.value === null ? null : JSON.parse(message.value.toString());
  const detail = contradiction(topic, String(message.key), data);
  return detail === undefined ? undefined : { code: 'contradiction', detail, canBeForced: true };
}

function contradiction(topic: TopicName, key: string, data: unknown): string | undefined {
  if (topic === 'asset.published' && data === null) {
    return assetSchema.shape.id.safeParse(key).success ? undefined : 'its key is not the id of an asset';
  }
  const id = typeof data === 'object' && data !== null && 'id' in data ? data.id : undefined;
  if (id !== key) return `its key is ${JSON.stringify(key)}, its id ${JSON.stringify(id)}`;
  if (topic !== 'offset.requested') return undefined;
  const request = offsetRequestedV1.parse(data);
  const grams = String(gramsFromKg(request.kgCO2e));
  if (request.grams !== grams) return `the grams of its kgCO2e are ${grams}, not ${request.grams}`;
  const expected = fingerprint(request);
  return request.fingerprint === expected ? undefined : `the fingerprint of its request is ${expected}`;
}
