import { Ids } from '@carbon/contracts';
import { Injectable } from '@nestjs/common';
import { issuedId } from '../../ids/issued-id.js';
import { OffsetsService } from '../../offsets/offsets-service.js';
import { questionHeaders } from '../../upstream/question-headers.js';
import type { UpstreamAnswer } from '../../upstream/trusted-answer.js';

/** Finds one estimate by its id. Nobody is asked about an id that was never issued. */
@Injectable()
export class GetEstimate {
  constructor(
    private readonly ids: Ids,
    private readonly offsets: OffsetsService,
  ) {}

  /**
   * The estimate, as the offsets service answers it; its 404 too, for an id is issued before the estimate is made.
   * @throws RequestError `invalid_request` for what has not the form of an id, `not_found` for an id not issued to `account`
   * @throws TransientError `service_unavailable`
   */
  async run(account: string, id: string): Promise<UpstreamAnswer> {
    issuedId(this.ids, { prefix: 'est', id, account, field: 'id' });
    return await this.offsets.get(`/v1/estimates?id=${id}`, questionHeaders(account));
  }
}
