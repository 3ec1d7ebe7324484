import { parseArgs } from 'node:util';
import { freezeCorpus } from './corpus/corpus.js';
import { DATABASE_URL } from './environment.js';
import { freeze, PRINTED_BY_COMMANDS, READ_FROM_DATABASE, READ_FROM_FILES } from './frozen/frozen.js';

const HELP = `Usage: npm run freeze

Adds what is new to acceptance/frozen, with DATABASE_URL the schema too, and writes acceptance/corpus.
The diff must show nothing else.`;

try {
  const { values } = parseArgs({ options: { help: { type: 'boolean', short: 'h' } } });
  if (values.help) {
    console.log(HELP);
    process.exit(0);
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(2);
}
await freeze({ ...READ_FROM_FILES, ...PRINTED_BY_COMMANDS, ...(DATABASE_URL === undefined ? {} : READ_FROM_DATABASE) });
await freezeCorpus();
