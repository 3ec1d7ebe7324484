import { Ids } from '@carbon/contracts';
import { Injectable } from '@nestjs/common';
import { issuedId } from '../../ids/issued-id.js';
import { questionHeaders } from '../../upstream/question-headers.js';
import type { UpstreamAnswer } from '../../upstream/trusted-answer.js';
import { OffsetLookups } from '../offsets-service.js';
import { isUnrecorded } from '../unrecorded.js';
import { queuedOffset } from './queued-offset.js';

/** Finds one offset by its id. What the id itself tells is decided here, without asking anybody. */
@Injectable()
export class GetOffset {
  constructor(
    private readonly ids: Ids,
    private readonly lookups: OffsetLookups,
  ) {}

  /**
   * The offset as recorded, or as queued when the offsets service answered that it has no such row: an id that was
   * accepted is never a 404.
   * @throws RequestError `invalid_request` for what has not the form of an id, `not_found` for an id not issued to `account`
   * @throws TransientError `service_unavailable` when it cannot be asked
   */
  async run(account: string, id: string): Promise<UpstreamAnswer> {
    issuedId(this.ids, { prefix: 'off', id, account, field: 'id' });
    const answer = await this.lookups.get(`/v1/offsets?id=${id}`, questionHeaders(account));
    return isUnrecorded(answer) ? queuedOffset(id) : answer;
  }
}
