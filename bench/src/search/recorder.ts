import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { Pool } from 'undici';

/** A question that went to OpenSearch. */
export interface Question {
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

/** A way to OpenSearch that remembers every question. */
export interface Recorder {
  readonly url: string;
  readonly questions: readonly Question[];
  close(): Promise<void>;
}

/** Opens one. It is not there while anything is measured. */
export async function openRecorder(opensearchUrl: string): Promise<Recorder> {
  const questions: Question[] = [];
  const pool = new Pool(opensearchUrl, { connections: 16 });
  const pass = async (question: IncomingMessage, answer: ServerResponse) => {
    const body = await buffer(question);
    const { method = 'GET', url: path = '/', headers } = question;
    questions.push({ method, path, body: body.toString() });
    const type = headers['content-type'];
    const onward = await pool.request({
      method: method as 'GET',
      path,
      headers: type === undefined ? {} : { 'content-type': type },
      ...(body.length > 0 && { body }),
    });
    const found = Buffer.from(await onward.body.arrayBuffer());
    // OpenSearch's client trusts an answer by its type, and reads it by its length.
    answer.writeHead(onward.statusCode, { 'content-type': 'application/json' }).end(found);
  };
  const server = createServer((question, answer) => void pass(question, answer).catch(() => answer.destroy()));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    questions,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await pool.close();
    },
  };
}
