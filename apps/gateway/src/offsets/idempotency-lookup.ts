import { TransientError } from '@carbon/http';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { FingerprintClient } from '../upstream/clients.js';
import { jsonOf } from '../upstream/upstream-response.js';

const recordedRequest = z.object({ id: z.string(), fingerprint: z.string().regex(/^[0-9a-f]{64}$/) });

/** Queries the offsets service for the request that is recorded under an id. */
@Injectable()
export class IdempotencyLookup {
  constructor(private readonly client: FingerprintClient) {}

  /**
   * Returns the fingerprint of the recorded request. Returns undefined when there is none, and when it cannot be determined in
   * time: an offset is accepted without the offsets service, and its id guarantees uniqueness.
   */
  async fingerprintOf(account: string, id: string): Promise<string | undefined> {
    try {
      const response = await this.client.get(`/internal/fingerprints?offset=${id}`, account);
      const recorded = response.status === 200 ? recordedRequest.safeParse(jsonOf(response)).data : undefined;
      return recorded?.id === id ? recorded.fingerprint : undefined;
    } catch (error) {
      if (error instanceof TransientError) return undefined;
      throw error;
    }
  }
}
