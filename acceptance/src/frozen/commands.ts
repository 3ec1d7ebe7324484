import { programOf, run } from '../checkout.js';

/** Root scripts that are our programs, whose `--help` prints their usage. */
const PROGRAMS = [
  ...['start', 'dev', 'reset', 'topics', 'cli', 'assets', 'dead-letters', 'catalog', 'keys', 'ledger', 'load'],
  ...['watch-searches', 'bench', 'chaos', 'schemathesis'],
];
/** Wide enough that no line of a help text wraps. */
const COLUMNS = '1000';

/** The usage of one command. */
export interface CommandUsage {
  /** `<name>` is required, `[name]` is optional. */
  readonly takes: string;
  /** As in the help text, such as `-n, --limit <count>`. */
  readonly options: readonly string[];
  readonly commands?: Readonly<Record<string, CommandUsage>>;
}

/** Returns the usage of each program by the name of its root script. */
export async function commands(): Promise<Record<string, CommandUsage>> {
  const usages: Record<string, CommandUsage> = {};
  for (const name of PROGRAMS) usages[name] = await usageOf(programOf(name));
  return usages;
}

async function usageOf(program: readonly string[], path: readonly string[] = []): Promise<CommandUsage> {
  const { out: stdout } = await run([...program, ...path, '--help'], { PATH: '', COLUMNS, NO_COLOR: '1' });
  const names = namesUnder(stdout, 'Commands:').filter((name) => !name.startsWith('help'));
  const subcommands: Record<string, CommandUsage> = {};
  for (const name of names) {
    const [word = ''] = name.split(/[ |]/);
    subcommands[word] = await usageOf(program, [...path, word]);
  }
  // The program is found by its script, so its own name is not frozen.
  const takes = /^Usage: [^[<]*(.*)$/m.exec(stdout)?.[1] ?? '';
  const options = namesUnder(stdout, 'Options:').sort();
  return names.length === 0 ? { takes, options } : { takes, options, commands: subcommands };
}

/** Returns the left column of a section of a help text. */
function namesUnder(help: string, heading: string): string[] {
  const lines = help.split('\n');
  const from = lines.indexOf(heading);
  if (from < 0) return [];
  const end = lines.indexOf('', from);
  return lines
    .slice(from + 1, end < 0 ? undefined : end)
    .flatMap((line) => /^ {2}(\S.*?)(?: {2,}|$)/.exec(line)?.[1] ?? []);
}
