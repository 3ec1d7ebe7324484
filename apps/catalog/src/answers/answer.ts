import { createHash } from 'node:crypto';
import type { RecentAnswer } from './recent-answers.js';

/** What stands in an answer's head beside what every answer has, by lower-case name. */
export type AnswerHeaders = Readonly<Record<string, string>>;

/** An answer of 200 in its final form: bytes of JSON and all that is said about them. */
export interface Answer extends RecentAnswer {
  readonly body: Buffer;
  readonly headers: AnswerHeaders;
  /** The entity tag, quotes included. Strong, for the same tag means the same bytes and the same headers. */
  readonly etag: string;
}

const TAG_CHARACTERS = 22;

/** @param askedAt when what the answer tells was asked for, by `performance.now()` */
export function answerOf(askedAt: number, body: Buffer, headers: AnswerHeaders = {}): Answer {
  const head = JSON.stringify(headers);
  // The head's length first, so that no end of a head can be taken for the beginning of a body.
  const digest = createHash('sha256').update(`${head.length} ${head}`).update(body).digest('base64url');
  const etag = `"${digest.slice(0, TAG_CHARACTERS)}"`;
  return { askedAt, body, headers, etag, bytes: body.length + 2 * head.length };
}
