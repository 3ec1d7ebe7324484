import { type Command, type CommandContext, CommandError, createProgram } from '@carbon/terminal';
import { addAssetCommands } from './client/assets.js';
import { addOffsetCommands } from './client/offsets.js';

const HELP = `
Calls the gateway at GATEWAY_URL or, if that is not set, the one that runs in
this checkout. If the gateway requires a key, it is read from API_KEY, or from
the file that API_KEY_FILE names; there is no option for it, because shells
record what is typed.

On a terminal the output is human-readable; otherwise it is JSON: one document,
or for a list one line for each item.
Exit codes: 0 done; 1 refused, or an offset that failed; 2 usage error; 75 no
response, or not in time: try again; 77 the key is missing, unknown, or lacks
the scope.`;

interface OperatorCommand {
  readonly description: string;
  /** The app package that contains the command, if any; it might not be installed. */
  readonly app?: string;
  readonly load: () => Promise<(context: CommandContext) => Command>;
}

/** The commands for operators. Each is loaded only when it is called, because it loads clients of engines. */
const OPERATOR_COMMANDS: Readonly<Record<string, OperatorCommand>> = {
  assets: {
    description: 'publish, withdraw and list the assets of the library',
    load: async () => (await import('./assets/command.js')).assetsCommand,
  },
  catalog: {
    description: 'rebuild and verify the search index',
    app: '@carbon/catalog',
    load: async () => (await import('@carbon/catalog/cli')).catalogCommand,
  },
  'dead-letters': {
    description: 'list, show and replay messages that consumers could not process',
    load: async () => (await import('./dead-letters/command.js')).deadLettersCommand,
  },
  keys: {
    description: 'create, list, rotate and revoke API keys',
    load: async () => (await import('./keys/command.js')).keysCommand,
  },
  ledger: {
    description: 'audit and verify the ledger',
    app: '@carbon/offsets',
    load: async () => (await import('@carbon/offsets/cli')).ledgerCommand,
  },
  topics: {
    description: 'create missing topics',
    load: async () => (await import('./topics/command.js')).topicsCommand,
  },
};

/** Builds the command line, with the operator command that the first argument names. */
export async function carbonProgram(context: CommandContext, args: readonly string[]): Promise<Command> {
  const program = createProgram('carbon', context)
    .usage('<command> [options]')
    .description('Offsets emissions and searches the asset library, from a command line.')
    .addHelpText('after', HELP);
  addOffsetCommands(program, context);
  addAssetCommands(program, context);
  const words = args[0] === '--' ? args.slice(1) : args;
  const called = words[0] === 'help' ? words[1] : words[0];
  for (const [name, command] of Object.entries(OPERATOR_COMMANDS)) {
    const loaded = name === called ? (await load(name, command))(context) : createProgram(name, context);
    if (name !== called) loaded.description(command.description);
    program.addCommand(loaded.helpGroup('Operators:'));
  }
  return program;
}

async function load(name: string, { app, load }: OperatorCommand) {
  try {
    return await load();
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';
    if (app === undefined || !isMissing || !error.message.includes(app)) throw error;
    throw new CommandError(`The command ${name} is part of ${app}, which is not installed here.`);
  }
}
