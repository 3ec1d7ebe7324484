import {
  type CommandContext,
  countUpTo,
  createProgram,
  EXIT,
  Interrupted,
  readLoopback,
  runProcess,
} from '@carbon/terminal';
import { Client } from '../load/client.js';
import { percentile } from '../load/post-offsets.js';
import { reachGateway } from '../load/reach-gateway.js';
import { credentialHeaders, gatewayUrl } from '../load/settings.js';
import { watchSearches } from './watch-searches.js';

interface Flags {
  /** The environment decides when none is given. */
  readonly url?: readonly string[];
  readonly seconds: number;
  readonly inFlight: number;
}

const MAX_COUNT = 86_400;

await runProcess((context) => {
  return createProgram('watch-searches', context)
    .description(
      'Searches continuously while something else runs, such as a rebuild; exit 1 when a total ever changes.',
    )
    .option(
      '--url <url...>',
      'base address of the gateway, or of several catalogs, on this machine (default: what npm start runs)',
      (text: string, before: readonly string[] = []) => [...before, readLoopback(text)],
    )
    .option('--seconds <n>', 'how long; Ctrl-C ends it sooner', countUpTo(MAX_COUNT), 60)
    .option('--in-flight <n>', 'how many searches at a time', countUpTo(MAX_COUNT), 4)
    .action(context.action((flags: Flags) => watch(context, flags)));
});

async function watch(context: CommandContext, { url, seconds, inFlight }: Flags): Promise<number> {
  const output = context.output({ continueWhenClosed: true });
  const { signal } = context.streams;
  const clients = await Promise.all(
    (url ?? [gatewayUrl(context)]).map(async (one) => {
      const client = new Client(one, inFlight, credentialHeaders(context));
      await reachGateway(client, one, '/v1/assets/schema');
      return client;
    }),
  );
  const stop = AbortSignal.any([signal, AbortSignal.timeout(seconds * 1_000)]);
  const { searches, failures, errors, latencies, totals } = await watchSearches(clients, inFlight, stop);
  // Ctrl-C ends the watch and prints the report; other signals end the command.
  if (signal.reason instanceof Interrupted && signal.reason.signal !== 'SIGINT') throw signal.reason;
  await Promise.all(clients.map((client) => client.close()));
  const [p50, p99, max] = [0.5, 0.99, 1].map((share) => percentile(latencies, share).toFixed(1));
  await output.line(`searches  ${searches}, which found ${totals.join(', ')}`);
  await output.line(`answered  p50 ${p50} ms, p99 ${p99} ms, longest ${max} ms`);
  await output.line(`wrong     ${failures}`);
  await output.flush();
  for (const error of errors) output.say(`ERROR ${error}`);
  return failures === 0 ? EXIT.done : EXIT.failed;
}
