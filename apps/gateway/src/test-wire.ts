import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Answer } from './test-client.js';

/** Writes bytes to a fresh connection, reads until the other side closes it, and gives the last answer. */
export async function exchange(url: string, ...pieces: readonly (string | Uint8Array)[]): Promise<Answer> {
  const begin = performance.now();
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  for (const piece of pieces) socket.write(piece);
  const wire = (await buffer(socket)).toString('utf8');
  return { ...parsed(wire), ms: performance.now() - begin };
}

function parsed(wire: string): Omit<Answer, 'ms'> {
  const [head = '', body = ''] = wire.slice(wire.lastIndexOf('HTTP/1.1 ')).split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = lines.map((line) => [line.split(':', 1)[0]?.toLowerCase(), line.replace(/^[^:]*:\s*/, '')]);
  return {
    status: Number(statusLine.split(' ')[1]),
    headers: Object.fromEntries(headers),
    body: Buffer.from(body),
    get json(): unknown {
      return JSON.parse(body);
    },
  };
}
