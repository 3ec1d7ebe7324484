import { freezeCorpus } from './corpus/corpus.js';
import { DATABASE_URL } from './environment.js';
import { freeze, PRINTED_BY_COMMANDS, READ_FROM_DATABASE, READ_FROM_FILES } from './frozen/frozen.js';

// Run it by hand to add to the frozen lists; the diff must show nothing else.
await freeze({ ...READ_FROM_FILES, ...PRINTED_BY_COMMANDS, ...(DATABASE_URL === undefined ? {} : READ_FROM_DATABASE) });
await freezeCorpus();
