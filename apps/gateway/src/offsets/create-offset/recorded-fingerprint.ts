import { TransientError } from '@carbon/http';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { jsonOf } from '../../upstream/json-of.js';
import { questionHeaders } from '../../upstream/question-headers.js';
import { OffsetFingerprints } from '../offsets-service.js';

const recorded = z.object({ id: z.string(), fingerprint: z.string().regex(/^[0-9a-f]{64}$/) });

/** Asks the offsets service which wish is recorded under an id. */
@Injectable()
export class RecordedFingerprint {
  constructor(private readonly fingerprints: OffsetFingerprints) {}

  /**
   * The fingerprint of the wish; undefined when none is recorded, or when that cannot be known at once: an offset is
   * accepted without the offsets service, and its id keeps it single.
   */
  async of(account: string, id: string): Promise<string | undefined> {
    try {
      const answer = await this.fingerprints.get(`/internal/fingerprints?offset=${id}`, questionHeaders(account));
      const known = answer.status === 200 ? recorded.safeParse(jsonOf(answer)).data : undefined;
      return known?.id === id ? known.fingerprint : undefined;
    } catch (error) {
      if (error instanceof TransientError) return undefined;
      throw error;
    }
  }
}
