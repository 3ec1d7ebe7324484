import type { IncomingMessage, ServerResponse } from 'node:http';
import { RequestError } from '../api-error.js';
import { type ProblemAnswer, problemOf } from '../problem.js';
import { requestIdOf } from '../request-id.js';

/**
 * Answers a request that expects what HTTP does not know: only `Expect: 100-continue` means anything (RFC 9110, 10.1.1).
 * Node would answer an empty 417 before Fastify hears of it. The body was never asked for, so the connection ends here.
 */
export function refuseExpectation(request: IncomingMessage, response: ServerResponse): ProblemAnswer {
  const fault = new RequestError('invalid_request', 'Leave the Expect header out, or send "Expect: 100-continue".');
  const answer = problemOf(fault, requestIdOf(request.headers['x-request-id']));
  const payload = JSON.stringify(answer.body);
  const framing = { 'content-length': Buffer.byteLength(payload), connection: 'close' };
  response.writeHead(answer.status, { ...answer.headers, ...framing }).end(payload);
  return answer;
}
