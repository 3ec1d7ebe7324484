import { Logger } from '@nestjs/common';
import { z } from 'zod';
import type { OpenSearch, OpenSearchRequest } from '../open-search/open-search.js';
import { OpenSearchRequestError } from '../open-search/open-search-errors.js';
import { type DocumentVersion, type StateDocument, stateDocument } from './state-document.js';

/** The timeout of requests about generations: some change the cluster state, and no client waits for them. */
export const GENERATION_TIMEOUT_MS = 10_000;

/** The response to a change of indices or aliases. */
export const acknowledgedResponse = z.object({ acknowledged: z.literal(true) });

const writeResponse = z.object({ _seq_no: z.int(), _primary_term: z.int() });
const getResponse = writeResponse.extend({ _source: stateDocument });

/** Reads the state document, and writes it by compare-and-set. */
export class StateStore {
  /** @param settings the settings of the index, which the first write creates */
  constructor(
    private readonly openSearch: OpenSearch,
    private readonly index: string,
    private readonly settings: object,
  ) {}

  /** Returns the document and its version, undefined before the first write. A GET by id is realtime: it sees every acknowledged write. */
  async read(): Promise<{ readonly document: StateDocument; readonly version: DocumentVersion | undefined }> {
    try {
      const request = { method: 'GET', path: `/${this.index}/_doc/generations` } as const;
      const found = await this.openSearch.request(request, getResponse, GENERATION_TIMEOUT_MS);
      return { document: found._source, version: versionOf(found) };
    } catch (error) {
      if (!isNotFound(error)) throw error;
      return { document: { lastNumber: 0, generations: [] }, version: undefined };
    }
  }

  /** Writes the document if it still has `version`. Returns the new version, or undefined and writes nothing. */
  async write(document: StateDocument, version: DocumentVersion | undefined): Promise<DocumentVersion | undefined> {
    if (version === undefined) {
      const settings = { ...this.settings, number_of_shards: 1 };
      await createIndex(this.openSearch, this.index, { settings, mappings: { dynamic: false } });
    }
    const query: OpenSearchRequest['query'] = version
      ? { if_seq_no: version.seqNo, if_primary_term: version.primaryTerm }
      : { op_type: 'create' };
    const request = { method: 'PUT', path: `/${this.index}/_doc/generations`, query, body: document } as const;
    try {
      return versionOf(await this.openSearch.request(request, writeResponse, GENERATION_TIMEOUT_MS));
    } catch (error) {
      if (error instanceof OpenSearchRequestError && error.status === 409) return undefined;
      throw error;
    }
  }
}

function versionOf({ _seq_no: seqNo, _primary_term: primaryTerm }: z.output<typeof writeResponse>): DocumentVersion {
  return { seqNo, primaryTerm };
}

/** Creates an index, unless another process has done so. */
export async function createIndex(openSearch: OpenSearch, index: string, body: object): Promise<void> {
  try {
    await openSearch.request({ method: 'PUT', path: `/${index}`, body }, acknowledgedResponse, GENERATION_TIMEOUT_MS);
    new Logger('indexing').log('Index created', { index });
  } catch (error) {
    const exists = error instanceof OpenSearchRequestError && error.type === 'resource_already_exists_exception';
    if (!exists) throw error;
  }
}

/** Returns whether OpenSearch responded that an index, alias or document does not exist. */
export function isNotFound(error: unknown): boolean {
  return error instanceof OpenSearchRequestError && error.status === 404;
}
