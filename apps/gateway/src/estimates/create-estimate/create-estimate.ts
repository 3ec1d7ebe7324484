import { Ids } from '@carbon/contracts';
import { Injectable } from '@nestjs/common';
import { OffsetsService } from '../../offsets/offsets-service.js';
import { questionHeaders } from '../../upstream/question-headers.js';
import type { UpstreamAnswer } from '../../upstream/trusted-answer.js';
import type { EstimateWish } from './read-create-estimate.js';

/** How long a price is held, in ms. */
const HELD_MS = 24 * 60 * 60 * 1_000;

/** What the offsets service answered about a new estimate, and the id it was asked to make it under. */
export interface CreatedEstimate {
  readonly id: string;
  readonly answer: UpstreamAnswer;
}

/** Has a price made and held. The id is minted here, where the secrets are; the price is made where the supply is known. */
@Injectable()
export class CreateEstimate {
  constructor(
    private readonly ids: Ids,
    private readonly offsets: OffsetsService,
  ) {}

  /** @throws TransientError `service_unavailable`; a price may be held then that nobody knows of, which harms nobody */
  async run(account: string, wish: EstimateWish): Promise<CreatedEstimate> {
    const now = Date.now();
    const id = this.ids.mint('est', account, now);
    const [createdAt, expiresAt] = [now, now + HELD_MS].map((time) => new Date(time).toISOString());
    const estimate = { id, ...wish, createdAt, expiresAt };
    return { id, answer: await this.offsets.post('/v1/estimates', questionHeaders(account), estimate) };
  }
}
