import type { UpstreamAnswer } from './trusted-answer.js';

/** The body of an answer as JSON; undefined when it is none after all. */
export function jsonOf({ body }: Pick<UpstreamAnswer, 'body'>): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}
