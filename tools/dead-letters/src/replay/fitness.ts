import { assetSchema, fingerprint, gramsFromKg, offsetRequestedV1, type TopicName } from '@carbon/contracts';
import { invalidReason, type MessageContent } from '@carbon/messaging';
import type { Refusal } from './refusal.js';

/**
 * Whether the message would come straight back, or do worse: a request whose parts contradict each other is recorded as a
 * failed offset, and its id is then spent. So what its handler holds against it is held against it here first.
 */
export function unfitness(topic: TopicName, message: MessageContent): Refusal | undefined {
  const fault = invalidReason(topic, message);
  if (fault !== undefined) {
    return refusal('still_unfit', `it would be given up again: ${fault.code}: ${fault.detail}`);
  }
  const found = contradiction(topic, String(message.key), jsonOf(message.value));
  return found === undefined ? undefined : refusal('contradiction', found);
}

function contradiction(topic: TopicName, key: string, data: unknown): string | undefined {
  if (topic === 'asset.published' && data === null) {
    return assetSchema.shape.id.safeParse(key).success ? undefined : 'its key is not the id of an asset';
  }
  const id = typeof data === 'object' && data !== null && 'id' in data ? data.id : undefined;
  if (id !== key) return `its key is ${JSON.stringify(key)}, its id ${JSON.stringify(id)}`;
  return topic === 'offset.requested' ? contradictionIn(data) : undefined;
}

function contradictionIn(data: unknown): string | undefined {
  const request = offsetRequestedV1.parse(data);
  const grams = String(gramsFromKg(request.kgCO2e));
  if (request.grams !== grams) return `the grams of its kgCO2e are ${grams}, not ${request.grams}`;
  const its = fingerprint(request);
  return request.fingerprint === its ? undefined : `the fingerprint of its request is ${its}`;
}

function jsonOf(value: Buffer | null): unknown {
  return value === null ? null : JSON.parse(value.toString());
}

function refusal(code: Refusal['code'], detail: string): Refusal {
  return { code, detail, canBeForced: true };
}
