#!/usr/bin/env node
import { SCOPES, type Scope } from '@carbon/auth';
import { ending, runCommand, WrongUsage } from '@carbon/terminal';
import { Command } from 'commander';
import {
  readAccount,
  readCount,
  readExpiry,
  readId,
  readName,
  readPlanName,
  readScopes,
  readSpan,
} from './arguments.js';
import { create, list, plan, plans, revoke, rotate, type Ways } from './commands.js';

const DAY_MS = 86_400_000;
const ALL: readonly Scope[] = SCOPES;

const AROUND = `
Works on the file of API_KEYS_FILE, else on that of the system that npm start
runs or ran last, else on .local/keys.json. To know callers by it, start the
gateway with API_KEYS_FILE set to the same file; docs/keys.md says more. A key
cannot be shown again: whoever loses one needs a new one.
At a terminal it prints tables and sentences, into a pipe JSON.
Exit codes: 0 done, 1 it cannot be done, 2 wrong usage, 75 somebody else is
changing the file.`;

const program = new Command('keys')
  .usage('create|list|revoke|rotate|plans|plan')
  .description('Makes the keys that callers of the gateway are known by, and ends them.')
  .addHelpText('after', AROUND)
  .exitOverride();

function command(name: string): Command {
  return program
    .command(name)
    .option('--file <path>', 'the key file')
    .option('--json', 'JSON, also on a terminal')
    .option('--no-json', 'no JSON, also in a pipe');
}

command('create')
  .description('make a key, and show it once')
  .requiredOption('--account <account>', 'whose it is: its offsets and estimates are theirs alone', readAccount)
  .option('--name <name>', 'what people call it', readName)
  .option('--scopes <scopes>', `what it may do: some of ${SCOPES.join(',')}`, readScopes, ALL)
  .option('--plan <plan>', 'how often it may call', readPlanName, 'default')
  .option('--expires <when>', 'a span (90d) or a time (2027-01-31T00:00:00Z); without, it does not', (when) =>
    readExpiry(when),
  )
  .option('--raw', 'print nothing but the key', false)
  .action((options: CreateOptions) => ending(create(wantedOf(options), options)));

command('list')
  .description('print the keys, never what they are')
  .option('--account <account>', 'only those of this account', readAccount)
  .action((options: Ways & { account?: string }) => ending(list(options)));

command('revoke')
  .argument('<id>', 'as `list` prints it', readId)
  .description('end a key at once')
  .action((id: string, options: Ways) => ending(revoke(id, options)));

command('rotate')
  .argument('<id>', 'as `list` prints it', readId)
  .description('make a key in the place of another, which is taken a while longer')
  .option('--overlap <span>', 'how much longer', readSpan, DAY_MS)
  .option('--raw', 'print nothing but the key', false)
  .action((id: string, options: Ways & { overlap: number; raw: boolean }) => ending(rotate(id, options)));

command('plans')
  .description('print the plans')
  .action((options: Ways) => ending(plans(options)));

command('plan')
  .argument('<name>', 'of a plan, a new one too', readPlanName)
  .description('say how often the keys of a plan may call')
  .option('--per-second <n>', 'so many requests a second on average', readCount)
  .option('--burst <n>', 'so many at once; twice as many as a second unless told', readCount)
  .option('--unlimited', 'as often as they like', false)
  .option('--remove', 'take the plan away', false)
  .action((name: string, options: PlanOptions) => ending(plan(name, limitOf(options), options)));

await runCommand(program);

interface CreateOptions extends Ways {
  readonly account: string;
  readonly name?: string;
  readonly scopes: readonly Scope[];
  readonly plan: string;
  readonly expires?: Date;
  readonly raw: boolean;
}

function wantedOf({ account, name = account, scopes, plan, expires }: CreateOptions) {
  return { account, name, scopes: [...scopes], plan, expiresAt: expires?.toISOString() };
}

interface PlanOptions extends Ways {
  readonly perSecond?: number;
  readonly burst?: number;
  readonly unlimited: boolean;
  readonly remove: boolean;
}

function limitOf({ perSecond, burst, unlimited, remove }: PlanOptions) {
  const said = [perSecond !== undefined, unlimited, remove].filter(Boolean).length;
  if (said !== 1) throw new WrongUsage('say one of --per-second, --unlimited and --remove');
  if (perSecond === undefined) {
    if (burst !== undefined) throw new WrongUsage('--burst goes with --per-second');
    return unlimited ? ('unlimited' as const) : undefined;
  }
  if (burst !== undefined && burst < perSecond) throw new WrongUsage('--burst must not be smaller than --per-second');
  return { perSecond, burst: burst ?? Math.min(2 * perSecond, 1_000_000) };
}
