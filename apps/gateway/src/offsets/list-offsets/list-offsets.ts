import { Injectable } from '@nestjs/common';
import { questionHeaders } from '../../upstream/question-headers.js';
import { rawQuery } from '../../upstream/raw-query.js';
import type { UpstreamAnswer } from '../../upstream/trusted-answer.js';
import { OffsetsService } from '../offsets-service.js';

/** Lists recorded offsets. The offsets service reads the parameters and makes the pages. */
@Injectable()
export class ListOffsets {
  constructor(private readonly offsets: OffsetsService) {}

  /**
   * One page, as the offsets service answers it.
   * @throws RequestError `invalid_request` for a query that cannot be decoded
   * @throws TransientError `service_unavailable`
   */
  async run(account: string, rawUrl: string): Promise<UpstreamAnswer> {
    return await this.offsets.get(`/v1/offsets${rawQuery(rawUrl)}`, questionHeaders(account));
  }
}
