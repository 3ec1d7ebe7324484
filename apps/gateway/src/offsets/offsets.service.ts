import {
  fingerprint,
  Ids,
  type OffsetRequest,
  type OffsetRequestedV1,
  type QueuedOffsetView,
  timeInId,
} from '@carbon/contracts';
import { SelfClockedProducer } from '@carbon/messaging';
import { Metrics } from '@carbon/observability';
import { Injectable } from '@nestjs/common';
import { offsetMetrics } from '../gateway.metrics.js';
import { rawQuery, requireIssuedId } from '../requests.js';
import { OffsetLookupClient, OffsetsClient } from '../upstream/clients.js';
import { isNotFound, localResponse, type UpstreamResponse } from '../upstream/upstream-response.js';
import { IdempotencyCache } from './idempotency-cache.js';
import { IdempotencyLookup } from './idempotency-lookup.js';
import { OffsetLookup } from './offset-lookup.js';
import { invalidEstimateId } from './offset-request.js';
import { offsetRequested, publishError, requestMessage } from './offset-requested.js';

/** An accepted offset. */
export interface AcceptedOffset {
  readonly id: string;
  /** Whether the offset was accepted before, under the same key. */
  readonly isReplay: boolean;
}

/** Accepts, reads and lists offsets. */
@Injectable()
export class OffsetsService {
  private readonly instruments;

  constructor(
    private readonly ids: Ids,
    private readonly cache: IdempotencyCache,
    private readonly fingerprints: IdempotencyLookup,
    private readonly publisher: SelfClockedProducer,
    private readonly offsets: OffsetsClient,
    private readonly lookup: OffsetLookup,
    private readonly lookupClient: OffsetLookupClient,
    metrics: Metrics,
  ) {
    this.instruments = metrics.of(offsetMetrics);
    for (const replayed of ['true', 'false']) this.instruments.accepted.inc({ replayed }, 0);
  }

  /**
   * Accepts an offset: it is accepted once Kafka has confirmed its event, and nothing else is needed for that. The id is fixed before
   * anything is sent, so a retry under the same key, or under the `retryKey` of a 503, gives the same offset.
   * @throws RequestError `idempotency_key_reused` for a key that is known for another request; `invalid_request` for an estimate
   * of no id of the account's, unless the request is a replay
   * @throws TransientError `not_accepted` or `outcome_unknown`
   */
  async create(account: string, request: OffsetRequest, key: string | undefined): Promise<AcceptedOffset> {
    const { id, time } = this.identify(account, key);
    const createdAt = new Date(time).toISOString();
    const event = offsetRequested(request, { id, account, createdAt, fingerprint: fingerprint(request) });
    const isReplay = await this.accept(event, key);
    this.instruments.accepted.inc({ replayed: String(isReplay) });
    return { id, isReplay };
  }

  /**
   * Returns the offset as recorded, or as queued when the offsets service has no such row: an accepted id is never a 404.
   * @throws RequestError `invalid_request` for text that is not an id, `not_found` for an id not issued to the account
   * @throws TransientError `service_unavailable`
   */
  async get(account: string, id: string): Promise<UpstreamResponse> {
    requireIssuedId(this.ids, { prefix: 'off', id, account, field: 'id' });
    const view = await this.lookup.viewOf(account, id);
    if (view !== undefined) return localResponse(view);
    const response = await this.lookupClient.get(`/v1/offsets?id=${id}`, account);
    return isNotFound(response)
      ? localResponse(JSON.stringify({ id, status: 'queued' } satisfies QueuedOffsetView))
      : response;
  }

  /**
   * Returns one page of recorded offsets. The offsets service reads the parameters.
   * @throws RequestError `invalid_request` for a query that cannot be decoded
   * @throws TransientError `service_unavailable`
   */
  async list(account: string, rawUrl: string): Promise<UpstreamResponse> {
    return await this.offsets.get(`/v1/offsets${rawQuery(rawUrl)}`, account);
  }

  /** Returns the id and the time of acceptance in Unix ms: the time in the id, if it contains one. */
  private identify(account: string, key: string | undefined): { readonly id: string; readonly time: number } {
    const now = Date.now();
    if (key === undefined) return { id: this.ids.generate('off', account, now), time: now };
    const id = this.ids.fromKey(account, key);
    return { id, time: timeInId(id) ?? now };
  }

  /** Returns whether the request is a replay. */
  private async accept(event: OffsetRequestedV1, key: string | undefined): Promise<boolean> {
    const { id, account, fingerprint } = event;
    const publish = () => {
      this.requireOwnEstimate(event);
      return this.publish(event, key ?? id);
    };
    if (key === undefined) {
      await this.cache.first(id, fingerprint, publish);
      return false;
    }
    if (!this.cache.isDecisive(id, fingerprint)) {
      const recorded = await this.fingerprints.fingerprintOf(account, id);
      if (recorded !== undefined) this.cache.storeRecorded(id, recorded);
    }
    return await this.cache.once(id, fingerprint, publish);
  }

  /** Checked only for what is new: an earlier version accepted any text, and its requests must stay repeatable. */
  private requireOwnEstimate({ account, estimateId }: OffsetRequestedV1): void {
    if (estimateId === undefined || this.ids.read('est', estimateId, account).verdict === 'issued') return;
    throw invalidEstimateId();
  }

  private async publish(event: OffsetRequestedV1, retryKey: string): Promise<void> {
    try {
      await this.publisher.publish(requestMessage(event));
    } catch (error) {
      throw publishError(error, retryKey);
    }
  }
}
