import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** How the proxy treats a request. */
export type Mode =
  | 'pass'
  | 'too-many-requests'
  | 'unavailable'
  | 'shard-closed'
  | 'refused'
  | 'partial'
  | 'timed-out'
  | 'drop-answer'
  | 'hold';

const REJECTIONS = {
  'too-many-requests': [429, 'rejected_execution_exception'],
  unavailable: [503, 'unavailable_shards_exception'],
  'shard-closed': [500, 'already_closed_exception'],
  refused: [400, 'parsing_exception'],
} as const;

/** A proxy of the real OpenSearch that can misbehave. */
export interface OpenSearchProxy {
  readonly url: string;
  /** The requests so far, such as `POST /_bulk`. */
  readonly requests: string[];
  /** The requests that the client aborted before the response. */
  readonly abortedRequests: string[];
  /** Sets the mode for requests whose path contains `path`. */
  behave(mode: Mode, path: string): void;
  close(): Promise<void>;
}

/** Starts a proxy. */
export async function openSearchProxy(target: string): Promise<OpenSearchProxy> {
  const requests: string[] = [];
  const abortedRequests: string[] = [];
  let mode: Mode = 'pass';
  let where = '';
  const server = createServer((question, answer) => {
    requests.push(`${question.method} ${question.url}`);
    answer.on('close', () => answer.writableFinished || abortedRequests.push(`${question.method} ${question.url}`));
    misbehave(question.url?.includes(where) ? mode : 'pass', target, question, answer);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    abortedRequests,
    behave: (next, path) => {
      mode = next;
      where = path;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function misbehave(mode: Mode, target: string, question: IncomingMessage, answer: ServerResponse): void {
  if (mode === 'hold') return;
  if (mode === 'pass') pass(target, question, answer);
  // OpenSearch executes the request, but its response is lost.
  else if (mode === 'drop-answer') pass(target, question, answer, () => question.socket.destroy());
  else if (mode === 'partial' || mode === 'timed-out') {
    const timedOut = mode === 'timed-out';
    const body = {
      timed_out: timedOut,
      _shards: { failed: timedOut ? 0 : 1 },
      hits: { total: { value: 0, relation: 'eq' }, hits: [] },
    };
    answer.setHeader('content-type', 'application/json').end(JSON.stringify(body));
  } else {
    const [status, type] = REJECTIONS[mode];
    const body = { error: { type, root_cause: [{ type, reason: 'test' }] }, status };
    question
      .resume()
      .on('end', () => answer.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)));
  }
}

function pass(target: string, question: IncomingMessage, answer: ServerResponse, instead?: () => void): void {
  const { method, headers, url } = question;
  const onward = request(new URL(url ?? '/', target), { method, headers }, (response) => {
    if (instead) {
      response.resume().on('end', instead);
      return;
    }
    answer.writeHead(response.statusCode ?? 502, response.headers);
    response.pipe(answer);
  });
  onward.on('error', () => answer.destroy());
  question.pipe(onward);
}
