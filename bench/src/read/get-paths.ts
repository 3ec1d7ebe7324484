import { Connection } from '../load/connection.js';
import { answerQuestions } from '../processes.js';
import { summaryOf } from '../statistics.js';
import { type Gets, type GetsReport, gets } from './gets.js';

/** @throws Error at the first response that is not 200 */
async function getPaths({ port, headers, paths, connections, ms }: Gets): Promise<GetsReport> {
  const open = await Promise.all(Array.from({ length: connections }, () => Connection.open(port, 200)));
  const lines = Object.entries({ host: '127.0.0.1', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  const rest = ` HTTP/1.1\r\n${lines.join('')}\r\n`;
  const latencies: number[] = [];
  const begun = performance.now();
  let sent = 0;
  const run = async (connection: Connection) => {
    for (let now = performance.now(); now - begun < ms; ) {
      const path = paths[sent % paths.length];
      sent += 1;
      await connection.send(`GET ${path}${rest}`);
      const after = performance.now();
      latencies.push(after - now);
      now = after;
    }
  };
  try {
    await Promise.all(open.map(run));
  } finally {
    for (const one of open) one.close();
  }
  const seconds = (performance.now() - begun) / 1000;
  return { count: latencies.length, perSecond: latencies.length / seconds, ...summaryOf(latencies) };
}

answerQuestions(gets, getPaths);
