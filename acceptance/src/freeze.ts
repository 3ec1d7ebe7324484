import { freezeCorpus } from './corpus/corpus.js';
import { DATABASE_URL } from './environment.js';
import { ASKED, DESCRIBED, freeze, MIGRATED } from './frozen/frozen.js';

// Run by hand when an addition to what users rely on is wanted; the diff shows that nothing else has changed.
await freeze({ ...DESCRIBED, ...ASKED, ...(DATABASE_URL === undefined ? {} : MIGRATED) });
await freezeCorpus();
