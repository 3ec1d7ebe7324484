import { z } from 'zod';
import { placeOfSyntaxError } from './json-place.js';
import { keyEntrySchema } from './key-entry.js';
import { planCalled, planName, planSchema, UNLIMITED_PLAN } from './plan.js';
import { withoutSecrets } from './without-secrets.js';

/**
 * The most live keys of an account: one in use, and the one that takes its place. A file with more is read all the same: one
 * that has just expired is still live to a clock that is behind the one its successor was made by.
 */
export const MAX_LIVE_KEYS = 2;

const keyFileSchema = z.strictObject({
  version: z.literal(1, { error: 'must be 1' }),
  plans: z.record(planName, planSchema).default({}),
  keys: z.array(keyEntrySchema),
});

/** What a key file holds. */
export type KeyFile = Readonly<z.output<typeof keyFileSchema>>;

/** One thing wrong with a key file, and where: `keys[3].sha256`. */
export interface KeyFileIssue {
  readonly place: string;
  readonly detail: string;
}

/** A key file that cannot be used, with everything that is wrong with it. */
export class KeyFileError extends Error {
  readonly faults: readonly KeyFileIssue[];

  constructor(faults: readonly KeyFileIssue[]) {
    // What is said of a file is logged, and somebody may have put a key where none belongs.
    const told = faults.map(({ place, detail }) => ({ place: withoutSecrets(place), detail: withoutSecrets(detail) }));
    super(told.map(({ place, detail }) => `${place} ${detail}`).join('; '));
    this.name = 'KeyFileError';
    this.faults = told;
  }
}

/** A file without keys, to begin with. */
export const EMPTY_KEY_FILE: KeyFile = { version: 1, plans: {}, keys: [] };

/** Reads a key file. @throws KeyFileError with every fault in it */
export function readKeyFile(text: string): KeyFile {
  const file = keyFileSchema.safeParse(json(text));
  const faults = file.success ? contradictions(file.data) : file.error.issues.map(faultOf);
  if (!file.success || faults.length > 0) throw new KeyFileError(faults);
  return file.data;
}

/** A key file as text. */
export function writeKeyFile(file: KeyFile): string {
  return `${JSON.stringify(file, null, 2)}\n`;
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new KeyFileError([{ place: placeOfSyntaxError(text), detail: 'is not JSON' }]);
  }
}

/** What each entry by itself cannot show. */
function contradictions({ plans, keys }: KeyFile): KeyFileIssue[] {
  const faults: KeyFileIssue[] = [];
  if (Object.hasOwn(plans, UNLIMITED_PLAN.name)) {
    faults.push({ place: 'plans.unlimited', detail: 'cannot be set: this plan is always there, and has no limit' });
  }
  const ids = new Map<string, number>();
  for (const [at, { id, plan }] of keys.entries()) {
    const first = ids.get(id);
    if (first === undefined) ids.set(id, at);
    else faults.push({ place: `keys[${at}].id`, detail: `is that of keys[${first}]` });
    if (planCalled(plan, plans) !== undefined) continue;
    faults.push({ place: `keys[${at}].plan`, detail: `names the plan ${JSON.stringify(plan)}, which there is not` });
  }
  return faults;
}

function faultOf({ path, message, ...issue }: z.core.$ZodIssue): KeyFileIssue {
  const place = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`)).join('');
  const unknown = 'keys' in issue && issue.code === 'unrecognized_keys' ? issue.keys.join(', ') : undefined;
  const detail = unknown === undefined ? sentence(message, issue) : `has what is not known: ${unknown}`;
  return { place: place.replace(/^\./, '') || 'the file', detail };
}

/** Zod's own words are for programmers. */
function sentence(message: string, issue: { readonly code?: string | undefined }): string {
  if (!message.startsWith('Invalid')) return message;
  if (/received undefined/.test(message)) return 'is missing';
  return issue.code === 'invalid_key'
    ? 'is no name for a plan: 1 to 32 of a-z 0-9 -, a letter first'
    : 'has the wrong type';
}
