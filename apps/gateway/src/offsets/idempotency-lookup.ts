import { TransientError } from '@carbon/http';
import { Metrics } from '@carbon/observability';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { offsetMetrics } from '../gateway.metrics.js';
import { FingerprintClient } from '../upstream/clients.js';
import { isNotFound, jsonOf } from '../upstream/upstream-response.js';

const recordedRequest = z.object({ id: z.string(), fingerprint: z.string().regex(/^[0-9a-f]{64}$/) });

/** The result of a look-up that found no record. */
const UNRECORDED = Symbol('unrecorded');

/** Queries the offsets service for the request that is recorded under an id. */
@Injectable()
export class IdempotencyLookup {
  private readonly instruments;

  constructor(
    private readonly client: FingerprintClient,
    metrics: Metrics,
  ) {
    this.instruments = metrics.of(offsetMetrics);
    for (const outcome of ['recorded', 'unrecorded', 'unknown']) this.instruments.lookups.inc({ outcome }, 0);
  }

  /**
   * Returns the fingerprint of the recorded request. Returns undefined when there is none, and when it cannot be determined in
   * time: an offset is accepted without the offsets service, and its id guarantees uniqueness.
   */
  async fingerprintOf(account: string, id: string): Promise<string | undefined> {
    const answer = await this.lookUp(account, id);
    if (typeof answer === 'string') {
      this.instruments.lookups.inc({ outcome: 'recorded' });
      return answer;
    }
    this.instruments.lookups.inc({ outcome: answer === UNRECORDED ? 'unrecorded' : 'unknown' });
    return undefined;
  }

  /** Returns undefined when it cannot be known. */
  private async lookUp(account: string, id: string): Promise<string | typeof UNRECORDED | undefined> {
    try {
      const response = await this.client.get(`/internal/fingerprints?offset=${id}`, account);
      if (isNotFound(response)) return UNRECORDED;
      const recorded = response.status === 200 ? recordedRequest.safeParse(jsonOf(response)).data : undefined;
      return recorded?.id === id ? recorded.fingerprint : undefined;
    } catch (error) {
      if (error instanceof TransientError) return undefined;
      throw error;
    }
  }
}
