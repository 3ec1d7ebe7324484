import { Injectable } from '@nestjs/common';
import { questionHeaders } from '../../upstream/question-headers.js';
import { rawQuery } from '../../upstream/raw-query.js';
import type { UpstreamAnswer } from '../../upstream/trusted-answer.js';
import { Catalog } from '../catalog.js';

/** What can be searched for. */
export type Searchable = 'pools' | 'projects';

/** Searches Pools or Projects. The catalog reads criteria, full text and pages. */
@Injectable()
export class SearchAssets {
  constructor(private readonly catalog: Catalog) {}

  /**
   * One page, as the catalog answers it.
   * @throws UserFault `invalid_request` for a query that cannot be decoded
   * @throws TransientFault `service_unavailable`
   */
  async run(what: Searchable, account: string, rawUrl: string): Promise<UpstreamAnswer> {
    return await this.catalog.get(`/v1/assets/${what}${rawQuery(rawUrl)}`, questionHeaders(account));
  }
}
