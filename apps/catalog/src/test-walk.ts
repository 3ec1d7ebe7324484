import type { TestCatalog } from './test-catalog.js';

/** One page of a walk. */
export interface WalkedPage {
  readonly assets: Record<string, unknown>[];
  /** `X-Total-Count`. */
  readonly total: number;
}

/** Where the `Link` header of an answer leads. */
export function nextOf(headers: Headers): string | undefined {
  return headers.get('link')?.match(/^<(\/v1\/[^>]+)>; rel="next"$/)?.[1];
}

/**
 * Follows the links from the first page to the last.
 *
 * @param between called after every page but the last
 */
export async function walk(
  catalog: Pick<TestCatalog, 'get'>,
  path: string,
  { between, headers }: { between?: () => Promise<unknown>; headers?: Record<string, string> } = {},
): Promise<WalkedPage[]> {
  const pages: WalkedPage[] = [];
  for (let next: string | undefined = path; next !== undefined; ) {
    const answer = await catalog.get(next, headers);
    if (answer.status !== 200) throw new Error(`${answer.status} at ${next}: ${JSON.stringify(answer.body)}`);
    const total = Number(answer.headers.get('x-total-count') ?? Number.NaN);
    pages.push({ assets: answer.body as Record<string, unknown>[], total });
    next = nextOf(answer.headers);
    if (next !== undefined) await between?.();
  }
  return pages;
}
