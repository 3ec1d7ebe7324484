import { Ids, type RetirementReceiptView } from '@carbon/contracts';
import { Injectable } from '@nestjs/common';
import { issuedId } from '../../ids/issued-id.js';
import { OffsetLookups } from '../../offsets/offsets-service.js';
import { isUnrecorded, ownAnswer } from '../../offsets/unrecorded.js';
import { questionHeaders } from '../../upstream/question-headers.js';
import type { UpstreamAnswer } from '../../upstream/trusted-answer.js';

/** Finds the receipt of an offset: its entries in the ledger. Nobody is asked about an id that was never issued. */
@Injectable()
export class GetReceipt {
  constructor(
    private readonly ids: Ids,
    private readonly lookups: OffsetLookups,
  ) {}

  /**
   * The receipt; one without entries for an offset that was accepted and that the offsets service has no row for yet.
   * @throws RequestError `invalid_request` for what has not the form of an id, `not_found` for an id not issued to `account`
   * @throws TransientError `service_unavailable`
   */
  async run(account: string, offset: string): Promise<UpstreamAnswer> {
    issuedId(this.ids, { prefix: 'off', id: offset, account, field: 'offset' });
    const answer = await this.lookups.get(`/v1/retirements?offset=${offset}`, questionHeaders(account));
    return isUnrecorded(answer) ? ownAnswer({ offset, entries: [] } satisfies RetirementReceiptView) : answer;
  }
}
