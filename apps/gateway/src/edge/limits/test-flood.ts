import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/**
 * A client in a thread of its own, so that what it does takes nothing from the client that is measured. Every 10 ms it sends
 * what is due by its rate, and counts the answers by status. Plain JavaScript, for a thread runs no TypeScript.
 */
const CLIENT = `
const { parentPort, workerData: { url, headers } } = require('node:worker_threads');
const { Agent, request } = require('node:http');
const agent = new Agent({ keepAlive: true });
const statuses = {};
let [rate, due, last, sent] = [0, 0, performance.now(), 0];
const send = () => request(url + sent++, { headers, agent }, (answer) => {
  statuses[answer.statusCode] = (statuses[answer.statusCode] ?? 0) + 1;
  answer.resume();
}).on('error', () => {}).end();
setInterval(() => {
  const now = performance.now();
  due = Math.min(rate, due + (rate * (now - last)) / 1000);
  last = now;
  for (; due >= 1; due -= 1) send();
}, 10);
parentPort.on('message', (message) => {
  if (message === 'report') parentPort.postMessage(statuses);
  else { rate = message; due = 0; }
});
`;

/** A client that asks one thing again and again, with another number at the end of the address each time. */
export interface Flood {
  /** From now on so many a second. */
  rate(perSecond: number): void;
  /** How many answers of each status there were so far. */
  report(): Promise<Readonly<Record<number, number>>>;
  stop(): Promise<unknown>;
}

/** Starts one, which asks nothing yet. */
export function startFlood(url: string, headers: Readonly<Record<string, string>>): Flood {
  const worker = new Worker(CLIENT, { eval: true, workerData: { url, headers } });
  return {
    rate: (perSecond) => worker.postMessage(perSecond),
    report: async () => {
      const answer = once(worker, 'message');
      worker.postMessage('report');
      return (await answer)[0];
    },
    stop: () => worker.terminate(),
  };
}
