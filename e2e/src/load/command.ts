import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import {
  type CommandContext,
  countUpTo,
  createProgram,
  EXIT,
  readLoopback,
  runProcess,
  type TerminalOutput,
} from '@carbon/terminal';
import { awaitCompleted } from './await-completed.js';
import { Client } from './client.js';
import { type PostReport, percentile, postOffsets } from './post-offsets.js';
import { reachGateway } from './reach-gateway.js';
import { gatewayUrl, keyHeaders } from './settings.js';

interface Flags {
  /** The environment decides when it is not given. */
  readonly url?: string;
  readonly offsets: number;
  readonly inFlight: number;
  readonly withinSeconds: number;
}

const CARBON = join(import.meta.dirname, '../../../tools/carbon/dist/carbon.js');
const GIVE_UP_MS = 120_000;
const MAX_KG = 5_000;
const MAX_COUNT = 1_000_000;
const SHOWN_ERRORS = 10;

await runProcess((context) => {
  return createProgram('load', context)
    .description(
      'Posts offsets to a running system, each until it is accepted, waits until all are completed, and audits the ledger.',
    )
    .option(
      '--url <url>',
      'base address of the gateway, on this machine (default: GATEWAY_URL, or what npm start runs)',
      readLoopback,
    )
    .option('--offsets <n>', 'how many offsets', countUpTo(MAX_COUNT), 1_000)
    .option('--in-flight <n>', 'how many requests at a time', countUpTo(MAX_COUNT), 64)
    .option('--within-seconds <n>', 'how long after the last POST all must be completed', countUpTo(MAX_COUNT), 60)
    .action(context.action((flags: Flags) => load(context, flags)));
});

async function load(context: CommandContext, { url, offsets, inFlight, withinSeconds }: Flags): Promise<number> {
  const output = context.output({ continueWhenClosed: true });
  const gateway = url ?? gatewayUrl(context);
  const client = new Client(gateway, inFlight, keyHeaders(context));
  await output.waitFor(`waiting for an answer from ${gateway}`, reachGateway(client, gateway, '/v1/offsets?limit=1'));
  const posted = await postOffsets(client, {
    count: offsets,
    inFlight,
    weight: (n) => ((n * 7919) % (MAX_KG * 1000)) / 1000 + 0.001,
    run: `load-${randomBytes(6).toString('hex')}`,
    giveUpAfterMs: GIVE_UP_MS,
    readBackEvery: 10,
    onProgress: (accepted) => output.progress(`${accepted} of ${offsets} accepted`),
  });
  const ids = new Set(posted.accepted.values());
  await printPosted(posted, output);
  const ended = await awaitCompleted(client, ids, { inFlight, timeoutMs: withinSeconds * 1000 });
  await client.close();
  await output.line(
    `completed  ${ended.completed} of ${posted.accepted.size}, all known ${ended.seconds.toFixed(1)} s after the last POST`,
  );
  for (const [status, some] of ended.others)
    await output.line(`${status.padEnd(10)} ${some.length}, such as ${some[0]}`);
  const errors = [...posted.errors, ...ended.errors];
  for (const error of errors.slice(0, SHOWN_ERRORS)) output.say(`ERROR ${error}`);
  const audited = url === undefined ? await audit(output) : await skipAudit(output);
  const isComplete = errors.length === 0 && ids.size === offsets && ended.completed === offsets;
  return isComplete ? audited : EXIT.failed;
}

async function printPosted(
  { accepted, outcomes, latencies, seconds }: PostReport,
  output: TerminalOutput,
): Promise<void> {
  const [p50, p99, max] = [0.5, 0.99, 1].map((share) => percentile(latencies, share).toFixed(1));
  const perSecond = Math.round(accepted.size / seconds);
  await output.line(`accepted   ${accepted.size} in ${seconds.toFixed(1)} s, ${perSecond} a second`);
  await output.line(`answers    ${[...outcomes].map(([outcome, times]) => `${outcome}: ${times}`).join(', ')}`);
  await output.line(`202 after  p50 ${p50} ms, p99 ${p99} ms, longest ${max} ms`);
  await output.flush();
}

/** Audits the ledger of the environment's database by `npm run ledger -- audit`, and returns its exit code. */
async function audit(output: TerminalOutput): Promise<number> {
  await output.flush();
  const child = spawn(process.execPath, [CARBON, 'ledger', 'audit'], { stdio: ['ignore', 'inherit', 'inherit'] });
  return await new Promise<number>((resolve) => child.once('close', (code) => resolve(code ?? EXIT.failed)));
}

/** The database of a gateway that was named on the command line is not known. */
async function skipAudit(output: TerminalOutput): Promise<number> {
  await output.line('audit      none: with --url the database is not known; run npm run ledger -- audit separately');
  await output.flush();
  return EXIT.done;
}
