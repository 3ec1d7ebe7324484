import type { QueuedOffsetView } from '@carbon/contracts';
import type { UpstreamAnswer } from '../../upstream/trusted-answer.js';

/** Whether the offsets service answered that it has no row for the id. Another 404 (of a proxy, say) proves nothing. */
export function isUnrecorded({ status, body }: UpstreamAnswer): boolean {
  return status === 404 && codeOf(body) === 'not_found';
}

/** The answer for an offset that was accepted and is not recorded yet. `time`: Unix ms, where the id holds one. */
export function queuedOffset(id: string, time: number | undefined): UpstreamAnswer {
  const createdAt = time === undefined ? {} : { createdAt: new Date(time).toISOString() };
  const view: QueuedOffsetView = { id, status: 'queued', ...createdAt };
  const headers = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' };
  return { status: 200, headers, body: Buffer.from(JSON.stringify(view)) };
}

function codeOf(body: Buffer): unknown {
  try {
    const problem: unknown = JSON.parse(body.toString('utf8'));
    return typeof problem === 'object' && problem !== null ? Reflect.get(problem, 'code') : undefined;
  } catch {
    return undefined;
  }
}
