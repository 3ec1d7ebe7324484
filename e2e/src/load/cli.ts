import { randomBytes } from 'node:crypto';
import { Command, InvalidArgumentError } from 'commander';
import { auditHolds } from './audit.js';
import { awaitCompleted } from './await-completed.js';
import { Client } from './client.js';
import { gatewayAddress, loopback } from './gateway-address.js';
import { type PostReport, percentile, postOffsets } from './post-offsets.js';
import { keyHeaders } from './proof.js';

interface Options {
  /** The environment decides when it is not given. */
  readonly url?: string;
  readonly offsets: number;
  readonly inFlight: number;
  readonly withinSeconds: number;
}

const GIVE_UP_MS = 120_000;
const HEAVIEST_KG = 5_000;
const SHOWN_FAULTS = 10;

function count(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1 || value > 1_000_000)
    throw new InvalidArgumentError('must be 1 to 1000000');
  return value;
}

async function run(options: Options): Promise<boolean> {
  const client = new Client(options.url ?? gatewayAddress(), options.inFlight, keyHeaders());
  const every = Math.max(1, Math.floor(options.offsets / 10));
  const posted = await postOffsets(client, {
    count: options.offsets,
    inFlight: options.inFlight,
    weight: (n) => ((n * 7919) % (HEAVIEST_KG * 1000)) / 1000 + 0.001,
    run: `load-${randomBytes(6).toString('hex')}`,
    giveUpAfterMs: GIVE_UP_MS,
    readBackEvery: 10,
    onProgress: (accepted) => accepted % every === 0 && console.error(`${accepted} of ${options.offsets} accepted`),
  });
  tellPosted(posted);
  const ended = await awaitCompleted(client, new Set(posted.accepted.values()), {
    inFlight: options.inFlight,
    withinMs: options.withinSeconds * 1000,
  });
  await client.close();
  console.log(
    `completed  ${ended.completed} of ${posted.accepted.size}, all known ${ended.seconds.toFixed(1)} s after the last POST`,
  );
  for (const [status, ids] of ended.others) console.log(`${status.padEnd(10)} ${ids.length}, such as ${ids[0]}`);
  const faults = [...posted.faults, ...ended.faults];
  for (const fault of faults.slice(0, SHOWN_FAULTS)) console.error(`FAULT ${fault}`);
  const ids = new Set(posted.accepted.values());
  const audited = await audit(options);
  return audited && faults.length === 0 && ids.size === options.offsets && ended.completed === options.offsets;
}

/** Of a gateway that was named by hand nobody knows the database. */
async function audit({ url }: Options): Promise<boolean> {
  if (url === undefined) return await auditHolds();
  console.log('audit      none, for with --url the database is not known: run npm run ledger -- audit beside it');
  return true;
}

function tellPosted({ accepted, outcomes, latencies, seconds }: PostReport): void {
  const [p50, p99, max] = [0.5, 0.99, 1].map((share) => percentile(latencies, share).toFixed(1));
  console.log(
    `accepted   ${accepted.size} in ${seconds.toFixed(1)} s, ${Math.round(accepted.size / seconds)} a second`,
  );
  console.log(`answers    ${[...outcomes].map(([outcome, times]) => `${outcome}: ${times}`).join(', ')}`);
  console.log(`202 after  p50 ${p50} ms, p99 ${p99} ms, longest ${max} ms`);
}

await new Command('load')
  .description(
    'Posts offsets to a running system, each until it is accepted, waits until every one is completed, and audits the ledger.',
  )
  .option(
    '--url <url>',
    'base address of the gateway, on this machine (default: GATEWAY_URL, or what npm start runs)',
    loopback,
  )
  .option('--offsets <n>', 'how many offsets', count, 10_000)
  .option('--in-flight <n>', 'how many requests at once', count, 64)
  .option('--within-seconds <n>', 'how long after the last POST every offset must be completed', count, 60)
  .action(async (options: Options) => {
    process.exitCode = (await run(options)) ? 0 : 1;
  })
  .parseAsync();
