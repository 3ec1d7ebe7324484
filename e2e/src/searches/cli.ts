import { setTimeout as sleep } from 'node:timers/promises';
import { Command, InvalidArgumentError } from 'commander';
import { Client } from '../load/client.js';
import { gatewayAddress, loopback } from '../load/gateway-address.js';
import { percentile } from '../load/post-offsets.js';
import { proof } from '../load/proof.js';
import { watchSearches } from './watch-searches.js';

interface Options {
  /** The environment decides when none is given. */
  readonly url?: readonly string[];
  readonly seconds: number;
  readonly inFlight: number;
}

const SHOWN_FAULTS = 10;

function count(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1 || value > 86_400) throw new InvalidArgumentError('must be 1 to 86400');
  return value;
}

async function run({ url = [gatewayAddress()], seconds, inFlight }: Options): Promise<boolean> {
  const clients = url.map((one) => new Client(one, inFlight, proof()));
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort());
  void sleep(seconds * 1000, undefined, { signal: stop.signal }).then(
    () => stop.abort(),
    () => {},
  );
  const { searches, faults, latencies, totals } = await watchSearches(clients, inFlight, stop.signal);
  await Promise.all(clients.map((client) => client.close()));
  const [p50, p99, max] = [0.5, 0.99, 1].map((share) => percentile(latencies, share).toFixed(1));
  console.log(`searches  ${searches}, which found ${totals.join(', ')}`);
  console.log(`answered  p50 ${p50} ms, p99 ${p99} ms, longest ${max} ms`);
  console.log(`wrong     ${faults.length}`);
  for (const fault of faults.slice(0, SHOWN_FAULTS)) console.error(`FAULT ${fault}`);
  return faults.length === 0;
}

await new Command('watch-searches')
  .description(
    'Searches without a pause while something else is done, such as a rebuild; exit 1 when a total ever changes.',
  )
  .option(
    '--url <url...>',
    'base address of the gateway, or of several catalogs, on this machine (default: what npm start runs)',
    (text: string, before: readonly string[] = []) => [...before, loopback(text)],
  )
  .option('--seconds <n>', 'how long; Ctrl-C ends it sooner', count, 60)
  .option('--in-flight <n>', 'how many searches at once', count, 4)
  .action(async (options: Options) => {
    process.exitCode = (await run(options)) ? 0 : 1;
  })
  .parseAsync();
