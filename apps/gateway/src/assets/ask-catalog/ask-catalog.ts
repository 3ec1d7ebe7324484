import { Injectable } from '@nestjs/common';
import { questionHeaders } from '../../upstream/question-headers.js';
import { rawQuery } from '../../upstream/raw-query.js';
import type { UpstreamAnswer } from '../../upstream/trusted-answer.js';
import { Catalog } from '../catalog.js';

/** What the catalog tells of: the two kinds of asset, and the fields that a search for them may name. */
export type Asked = 'pools' | 'projects' | 'schema';

/** What a client asks about them. */
export interface CatalogQuestion {
  readonly account: string;
  /** Path and query as sent. */
  readonly address: string;
  /** What the client has already, as it says. */
  readonly ifNoneMatch: string | undefined;
  /** The client has left. */
  readonly gone: AbortSignal;
}

/** Asks the catalog, which reads criteria, full text and all other parameters, and makes pages and tags. */
@Injectable()
export class AskCatalog {
  constructor(private readonly catalog: Catalog) {}

  /**
   * What the catalog answers, as it answers it.
   * @throws RequestError `invalid_request` for a query that cannot be decoded
   * @throws TransientError `service_unavailable`
   */
  async run(what: Asked, { account, address, ifNoneMatch, gone }: CatalogQuestion): Promise<UpstreamAnswer> {
    const headers = { ...questionHeaders(account), ...(ifNoneMatch !== undefined && { 'if-none-match': ifNoneMatch }) };
    return await this.catalog.get(`/v1/assets/${what}${rawQuery(address)}`, headers, gone);
  }
}
