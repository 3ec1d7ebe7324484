import { EMPTY_KEY_FILE, type KeyFile, SCOPES, type Scope } from '@carbon/auth';
import { text } from '@carbon/config';
import {
  type Command,
  type CommandContext,
  CommandError,
  countUpTo,
  createProgram,
  EXIT,
  Option,
  printableJson,
  type TerminalOutput,
  UsageError,
} from '@carbon/terminal';
import { z } from 'zod';
import { readAccount, readDuration, readExpiry, readKeyId, readName, readPlanName, readScopes } from './arguments.js';
import { type Change, createKey, type MadeKey, revokeKey, rotateKey, setPlan, undoRotation } from './key-changes.js';
import { KeyFileStore } from './key-file-store.js';
import { KEY_COLUMNS, keyView, PLAN_COLUMNS, plansOf } from './views.js';

const DAY_MS = 86_400_000;
const MAX_REQUESTS = 1_000_000;
const SOON = 'A running gateway applies this within 5 s.';

const settings = z.object({
  API_KEYS_FILE: text(/^[^\0]+$/, 'a path', {
    description: 'The key file that `npm run keys` works on; the same one as the gateway’s.',
    fallback: '.local/keys.json',
  }),
});

const HELP = `
Works on the file of API_KEYS_FILE, else on that of the system that npm start
runs or ran last, else on .local/keys.json. The gateway must be started with
API_KEYS_FILE set to the same file (docs/keys.md). A key cannot be shown again:
create a new one instead of a lost one.
At a terminal the output is tables and sentences, elsewhere JSON.
Exit codes: 0 done, 1 not possible, 2 usage error, 75 another process is
changing the file.`;

interface Flags {
  readonly file?: string;
  readonly json?: boolean;
}

interface CreateFlags extends Flags {
  readonly account: string;
  readonly name?: string;
  readonly scopes: readonly Scope[];
  readonly plan: string;
  readonly expires?: Date;
  readonly raw: boolean;
  readonly requireIdempotencyKey?: true;
}

interface PlanFlags extends Flags {
  readonly perSecond?: number;
  readonly burst?: number;
  readonly unlimited: boolean;
  readonly remove: boolean;
}

/** Returns the command `keys`. */
export function keysCommand(context: CommandContext): Command {
  const program = createProgram('keys', context)
    .usage('create|list|revoke|rotate|plans|plan')
    .description('Creates, lists, rotates and revokes the API keys of the gateway.')
    .addHelpText('after', HELP);
  const command = (name: string) =>
    program
      .command(name)
      .option('--file <path>', 'the key file')
      .option('--json', 'JSON, also at a terminal')
      .option('--no-json', 'no JSON, also in a pipe');
  const keys = new KeysCommand(context);

  command('create')
    .description('make a key, and show it once')
    .requiredOption('--account <account>', 'the account, which owns its offsets and estimates', readAccount)
    .option('--name <name>', 'a name for people', readName)
    .option('--scopes <scopes>', `what the key may do: some of ${SCOPES.join(',')}`, readScopes, SCOPES)
    .option('--plan <plan>', 'the plan that limits its requests', readPlanName, 'default')
    .option('--expires <when>', 'a duration (90d) or a time (2027-01-31T00:00:00Z); default: never', (when) =>
      readExpiry(when),
    )
    .option('--require-idempotency-key', 'refuse its new offsets that have no Idempotency-Key')
    .option('--raw', 'print only the key', false)
    .action(context.action((flags: CreateFlags) => keys.create(flags)));
  command('list')
    .description('list keys without their secrets')
    .option('--account <account>', 'only keys of this account', readAccount)
    .action(context.action((flags: Flags & { account?: string }) => keys.list(flags)));
  command('revoke')
    .argument('<id>', 'the id of a key, as `list` prints it', readKeyId)
    .description('revoke a key immediately')
    .action(context.action((id: string, flags: Flags) => keys.revoke(id, flags)));
  command('rotate')
    .argument('<id>', 'the id of a key, as `list` prints it', readKeyId)
    .description('replace a key; the old one stays valid during the overlap')
    .addOption(overlapOption())
    .option('--raw', 'print only the key', false)
    .action(context.action((id: string, flags: Flags & { overlap: number; raw: boolean }) => keys.rotate(id, flags)));
  command('plans')
    .description('list the plans')
    .action(context.action((flags: Flags) => keys.plans(flags)));
  command('plan')
    .argument('<name>', 'the name of a plan, old or new', readPlanName)
    .description('set or remove the request limit of a plan')
    .option('--per-second <n>', 'requests a second on average', countUpTo(MAX_REQUESTS))
    .option('--burst <n>', 'requests at once; default: twice the number a second', countUpTo(MAX_REQUESTS))
    .option('--unlimited', 'without a limit', false)
    .option('--remove', 'remove the plan', false)
    .action(context.action((name: string, flags: PlanFlags) => keys.plan(name, flags)));
  return program;
}

function overlapOption(): Option {
  return new Option('--overlap <span>', 'how long the old key stays valid')
    .argParser(readDuration)
    .default(DAY_MS, '24h');
}

class KeysCommand {
  constructor(private readonly context: CommandContext) {}

  async create(flags: CreateFlags): Promise<number> {
    const { account, name = account, scopes, plan, expires, requireIdempotencyKey: required } = flags;
    const members = { account, name, scopes: [...scopes], plan, ...(required && { idempotencyKeyRequired: required }) };
    const request = { ...members, expiresAt: expires?.toISOString() };
    const { result, note } = await this.change(flags, (file) => createKey(file, request, Date.now()));
    await this.show(result, note, flags, async () => 'was created but not shown in full: revoke it.');
    return EXIT.done;
  }

  async list(flags: Flags & { account?: string }): Promise<number> {
    const { account } = flags;
    const keys = this.store(flags)
      .read()
      .keys.filter((entry) => account === undefined || entry.account === account);
    const output = this.context.output(flags);
    await output.table(
      keys.map((entry) => keyView(entry, Date.now())),
      KEY_COLUMNS,
    );
    if (keys.length === 0) output.say(account === undefined ? 'There are no keys.' : `${account} has no keys.`);
    return EXIT.done;
  }

  async revoke(id: string, flags: Flags): Promise<number> {
    const { result, note } = await this.change(flags, (file) => revokeKey(file, id, Date.now()));
    const output = this.changing(flags);
    if (output.asJson) await output.line(printableJson(keyView(result, Date.now())));
    await output.flush();
    output.say(`The key ${id} of ${result.account} is revoked. ${note}`);
    return EXIT.done;
  }

  async rotate(id: string, flags: Flags & { overlap: number; raw: boolean }): Promise<number> {
    const { result, note } = await this.change(flags, (file) => rotateKey(file, id, flags.overlap, Date.now()));
    const output = await this.show(result, note, flags, async () => {
      const undone = this.store(flags).change((file) => undoRotation(file, result));
      const isRestored = await undone.catch((error: Error) => error);
      if (isRestored instanceof Error)
        return `was created but not shown in full: revoke it. The key ${id} ends at ${result.old.expiresAt}. ${isRestored.message}`;
      return `could not be shown, so it is removed again${isRestored ? ` and the key ${id} is as before` : ''}.`;
    });
    output.say(`The key ${id} stays valid until ${result.old.expiresAt}.`);
    return EXIT.done;
  }

  async plans(flags: Flags): Promise<number> {
    await this.context.output(flags).table(plansOf(this.store(flags).read()), PLAN_COLUMNS);
    return EXIT.done;
  }

  async plan(name: string, flags: PlanFlags): Promise<number> {
    const limit = limitOf(flags);
    const { result, note } = await this.change(flags, (file) => setPlan(file, name, limit));
    const output = this.changing(flags);
    if (output.asJson) await output.line(printableJson(result));
    await output.flush();
    output.say(`The plan ${name} is ${limit === undefined ? 'reset to its default, or removed' : 'set'}. ${note}`);
    return EXIT.done;
  }

  private store({ file }: Flags): KeyFileStore {
    return new KeyFileStore(this.path(file));
  }

  private path(file: string | undefined): string {
    return file ?? this.context.settings(settings).API_KEYS_FILE;
  }

  private changing({ json }: Flags): TerminalOutput {
    return this.context.output({ json, continueWhenClosed: true });
  }

  /** Changes the file. The note says when a gateway uses the change: none was started with a file that is new. */
  private async change<T>(
    flags: Flags,
    change: (file: KeyFile) => Change<T>,
  ): Promise<{ readonly result: T; readonly note: string }> {
    let note = SOON;
    const result = await this.store(flags).change((file) => {
      if (file === EMPTY_KEY_FILE)
        note = `The key file is new: start the gateway with API_KEYS_FILE=${this.path(flags.file)}`;
      return change(file);
    });
    return { result, note };
  }

  /**
   * Shows a new key.
   * @param onLost is called when the output cannot take all of it, and says what becomes of the key
   * @throws CommandError then
   */
  private async show(
    { entry, key }: MadeKey,
    note: string,
    flags: Flags & { readonly raw: boolean },
    onLost: () => Promise<string>,
  ): Promise<TerminalOutput> {
    // A key that was not printed is lost, so a closed pipe is a failure here.
    const output = this.context.output(flags);
    try {
      const isRaw = flags.raw || !output.asJson;
      await output.line(isRaw ? key : printableJson({ ...keyView(entry, Date.now()), key }));
      await output.flush();
    } catch (error) {
      const reason = error instanceof CommandError ? error.message : 'The output is not read.';
      throw new CommandError(`${reason} The key ${entry.id} ${await onLost()}`);
    }
    const until = entry.expiresAt === undefined ? '' : ` It expires at ${entry.expiresAt}.`;
    output.say(`Key ${entry.id} of ${entry.account}, shown only this once: only its hash is stored.${until} ${note}`);
    return output;
  }
}

function limitOf({ perSecond, burst, unlimited, remove }: PlanFlags): KeyFile['plans'][string] | undefined {
  const chosen = [perSecond !== undefined, unlimited, remove].filter(Boolean).length;
  if (chosen !== 1) throw new UsageError('choose one of --per-second, --unlimited and --remove');
  if (perSecond === undefined) {
    if (burst !== undefined) throw new UsageError('--burst goes with --per-second');
    return unlimited ? 'unlimited' : undefined;
  }
  if (burst !== undefined && burst < perSecond) throw new UsageError('--burst must not be smaller than --per-second');
  return { perSecond, burst: burst ?? Math.min(2 * perSecond, MAX_REQUESTS) };
}
