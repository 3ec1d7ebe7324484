import { CarbonClient } from '@carbon/client';
import { type Environment, loadCliEnvironment, text, url } from '@carbon/config';
import {
  type CommandContext,
  EXIT,
  paintFor,
  type TerminalOutput,
  type TerminalOutputOptions,
  UsageError,
} from '@carbon/terminal';
import { z } from 'zod';
import { commandErrorOf } from './problem-report.js';

const settings = z.object({
  GATEWAY_URL: url(['http', 'https'], {
    description: 'The URL of the gateway to call.',
    fallback: 'http://127.0.0.1:3000',
  }),
  API_KEY: text(/^[\x21-\x7e]+$/, 'a key as `npm run keys` prints it, in one piece', {
    description: 'The key to send. There is no option for it: shells record command lines.',
    secret: true,
  }).optional(),
});

/** What every client command works with. */
export interface ClientSession {
  readonly carbon: CarbonClient;
  readonly output: TerminalOutput;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
  /** Waits for an answer, and says so when that takes long. */
  waitFor<T>(answer: Promise<T>, what?: string): Promise<T>;
}

/** How a client command prints, and what it sends. */
export interface SessionOptions extends TerminalOutputOptions {
  readonly criteria?: string;
}

/**
 * Does the work of a client command, which resolves to its exit code.
 *
 * @param options `criteria` are those of the request, to mark errors in them; `continueWhenClosed` as for the output
 * @throws CommandError that explains an error of the service
 */
export async function withSession(
  context: CommandContext,
  { json, criteria, continueWhenClosed }: SessionOptions,
  work: (session: ClientSession) => Promise<number>,
): Promise<number> {
  const { gateway, key } = clientSettings(context);
  const { signal, stderr } = context.streams;
  const output = context.output({ json, continueWhenClosed: continueWhenClosed ?? false });
  const waitFor = <T>(answer: Promise<T>, what = `waiting for an answer from ${gateway}`) =>
    output.waitFor(what, answer);
  try {
    const code = await work({ carbon: clientOf(gateway, key), output, signal, waitFor });
    await output.flush();
    return code;
  } catch (error) {
    await output.flush();
    const width = stderr.columns || output.width;
    throw commandErrorOf(error, { criteria, gateway, hasKey: key !== undefined, width, paint: paintFor(stderr) });
  }
}

/** Reads the gateway and the key. @throws UsageError, which does not repeat the key */
export function clientSettings(
  context: CommandContext,
  merge: (own: Environment) => Environment = loadCliEnvironment,
): { readonly gateway: string; readonly key: string | undefined } {
  const own = context.streams.environment;
  const merged = merge(own);
  // The key stored with the address of one gateway must not be sent to another that the environment names.
  const isOther = Boolean(own.GATEWAY_URL) && !own.API_KEY && !own.API_KEY_FILE;
  const environment = isOther ? { ...merged, API_KEY: undefined, API_KEY_FILE: undefined } : merged;
  const { GATEWAY_URL, API_KEY } = context.settings(settings, EXIT.usage, environment);
  return { gateway: GATEWAY_URL, key: API_KEY };
}

function clientOf(gateway: string, key: string | undefined): CarbonClient {
  try {
    return new CarbonClient({ baseUrl: gateway, ...(key !== undefined && { key }) });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new UsageError(`GATEWAY_URL is invalid: ${error.message}`);
  }
}
