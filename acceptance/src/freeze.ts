import { freezeCorpus } from './corpus/corpus.js';
import { DATABASE_URL } from './environment.js';
import { ASKED, DESCRIBED, freeze, MIGRATED } from './frozen/frozen.js';

// Run it by hand to add to the frozen lists; the diff must show nothing else.
await freeze({ ...DESCRIBED, ...ASKED, ...(DATABASE_URL === undefined ? {} : MIGRATED) });
await freezeCorpus();
