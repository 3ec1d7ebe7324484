import { CarbonClient } from '@carbon/client';
import { interruption, Screen, WrongUsage, whileWaiting } from '@carbon/terminal';
import { paintFor } from './printing/paint.js';
import { Printer } from './printing/printer.js';
import { type Asked, failureOf } from './refusals/failure-of.js';
import { readSettings, type Settings } from './settings.js';

/** What every command is done with. */
export interface Means {
  readonly carbon: CarbonClient;
  /** Standard output, for what was asked. */
  readonly printer: Printer;
  /** Standard error, for how far it is and what a person should know. */
  readonly screen: Screen;
  /** Goes with Ctrl-C. */
  readonly signal: AbortSignal;
  /** Waits for an answer, and says so when that takes long. */
  answered<T>(answer: Promise<T>, what?: string): Promise<T>;
}

/**
 * Does the work of a command; its exit code is what the work resolves to.
 *
 * @param asked what a refusal is explained by
 * @throws CommandFailure in words for a person
 */
export async function withMeans(
  { json = false }: { readonly json?: boolean },
  asked: Asked,
  work: (means: Means) => Promise<number>,
): Promise<number> {
  const settings = readSettings();
  const screen = new Screen(process.stderr);
  const printer = new Printer(process.stdout, json);
  const answered = <T>(answer: Promise<T>, what = `waiting for an answer of ${settings.gateway}`) =>
    whileWaiting(screen, what, answer);
  try {
    const code = await work({ carbon: clientOf(settings), printer, screen, signal: interruption(), answered });
    await printer.flush();
    return code;
  } catch (error) {
    await printer.flush();
    const { gateway, key } = settings;
    const width = process.stderr.columns || printer.width;
    throw failureOf(error, { ...asked, gateway, hasKey: key !== undefined, width, paint: paintFor(process.stderr) });
  }
}

function clientOf({ gateway, key }: Settings): CarbonClient {
  try {
    return new CarbonClient({ baseUrl: gateway, ...(key !== undefined && { key }) });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new WrongUsage(`The configuration cannot be used: of GATEWAY_URL, ${error.message}`);
  }
}
