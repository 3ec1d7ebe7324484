import { CACHED_AGE, type JsonResponse } from '@carbon/http';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { UpstreamResponse } from '../upstream/upstream-response.js';

/** The age at which neither the catalog nor the gateway sends a cached response any more. */
const MAX_AGE_MS = 1_000;
const MAX_BYTES = 16 * 1024 * 1024;
/** A response above this share of the memory would evict too many others. */
const LARGEST_SHARE = 1 / 8;
/** The memory of an entry besides the bytes of its response. */
const OVERHEAD_BYTES = 1_000;

/** The headers that the gateway keeps of a response to cache; the catalog sends {@link CACHED_AGE} with every such response. */
const cachedHeaders = z.object({
  [CACHED_AGE]: z
    .string()
    .regex(/^\d{1,6}$/)
    .transform(Number),
  etag: z.string(),
  link: z.string().optional(),
  'x-total-count': z.string().optional(),
  'x-search-hints': z.string().optional(),
});

/**
 * Caches responses of the catalog until a second after the catalog requested them from OpenSearch, so that the caches of gateway
 * and catalog together never return anything older than a second.
 */
@Injectable()
export class AssetResponseCache {
  private readonly responses = new LRUCache<string, JsonResponse>({
    maxSize: MAX_BYTES,
    maxEntrySize: MAX_BYTES * LARGEST_SHARE,
    sizeCalculation: ({ bytes }, key) => bytes + 2 * key.length + OVERHEAD_BYTES,
    ttl: MAX_AGE_MS,
    // The default caches the time for a millisecond.
    ttlResolution: 0,
  });

  /** Returns the response to the same request of an account, if it is at most a second old. @param url path and query */
  get(account: string, url: string): JsonResponse | undefined {
    return this.responses.get(keyOf(account, url));
  }

  /**
   * Caches a response with status 200 and {@link CACHED_AGE}, which the catalog omits for a page of assets that it had not cached.
   * @param sentAt when the request was sent to the catalog, by `performance.now()`. The catalog measured the age after that, so the
   * response is never taken for younger than it is
   */
  add(account: string, url: string, { status, headers, body }: UpstreamResponse, sentAt: number): void {
    if (status !== 200 || headers[CACHED_AGE] === undefined) return;
    const { data } = cachedHeaders.safeParse(headers);
    if (data === undefined) return;
    const { [CACHED_AGE]: age, etag, ...described } = data;
    const requestedAt = sentAt - age;
    if (performance.now() - requestedAt >= MAX_AGE_MS) return;
    const response = {
      requestedAt,
      body,
      headers: described,
      etag,
      bytes: body.length + 2 * (described.link ?? described['x-search-hints'] ?? '').length,
    };
    this.responses.set(keyOf(account, url), response, { start: requestedAt });
  }
}

/** Includes the account, because the link to the next page is valid for one account only. */
function keyOf(account: string, url: string): string {
  return `${account} ${url}`;
}
