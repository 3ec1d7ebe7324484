import { z } from 'zod';
import { jsonOf } from '../upstream/json-of.js';
import type { UpstreamAnswer } from '../upstream/trusted-answer.js';

const notFound = z.object({ code: z.literal('not_found') });

/** Whether the offsets service answered that it has no row for the id. Another 404 (of a proxy, say) proves nothing. */
export function isUnrecorded(answer: UpstreamAnswer): boolean {
  return answer.status === 404 && notFound.safeParse(jsonOf(answer)).success;
}

/** An answer made here, in the shape of one that came. */
export function ownAnswer(view: object): UpstreamAnswer {
  const headers = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' };
  return { status: 200, headers, body: Buffer.from(JSON.stringify(view)) };
}
