import { z } from 'zod';
import { keyEntrySchema, PLAN_NAME_RULE, planName, planNamed, planSchema, UNLIMITED_PLAN } from './key-entry.js';
import { withoutSecrets } from './key-format.js';

/**
 * The maximum number of live keys of an account: the current one and its successor. A file with more is valid, because a key
 * that has just expired is still live for a clock that is behind.
 */
export const MAX_LIVE_KEYS = 2;

/** The maximum size of a key file in bytes: about 40,000 keys. */
export const MAX_KEY_FILE_BYTES: number = 16 * 1024 * 1024;

const keyFileSchema = z.strictObject({
  version: z.literal(1, { error: 'must be 1' }),
  plans: z.record(planName, planSchema).default({}),
  keys: z.array(keyEntrySchema),
});

/** The content of a key file. */
export type KeyFile = Readonly<z.output<typeof keyFileSchema>>;

/** One error in a key file, at a place such as `keys[3].sha256`. */
export interface KeyFileIssue {
  readonly place: string;
  readonly detail: string;
}

/** A key file that cannot be used, with every error in it. Contains no secret, also if the file has a key in a wrong place. */
export class KeyFileError extends Error {
  readonly issues: readonly KeyFileIssue[];

  constructor(found: readonly KeyFileIssue[]) {
    const issues = found.map(({ place, detail }) => ({ place: withoutSecrets(place), detail: withoutSecrets(detail) }));
    super(issues.map(({ place, detail }) => `${place} ${detail}`).join('; '));
    this.name = 'KeyFileError';
    this.issues = issues;
  }
}

/** A key file without keys. */
export const EMPTY_KEY_FILE: KeyFile = { version: 1, plans: {}, keys: [] };

/** Reads a key file. @throws KeyFileError with every error */
export function readKeyFile(text: string): KeyFile {
  const file = keyFileSchema.safeParse(parseJson(text));
  const issues = file.success ? crossIssues(file.data) : file.error.issues.map(keyFileIssue);
  if (!file.success || issues.length > 0) throw new KeyFileError(issues);
  return file.data;
}

/** Returns the text of a key file. */
export function writeKeyFile(file: KeyFile): string {
  return `${JSON.stringify(file, null, 2)}\n`;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new KeyFileError([{ place: placeOfSyntaxError(text), detail: 'is not JSON' }]);
  }
}

/** The errors that no entry shows by itself. */
function crossIssues({ plans, keys }: KeyFile): KeyFileIssue[] {
  const issues: KeyFileIssue[] = [];
  if (Object.hasOwn(plans, UNLIMITED_PLAN.name)) {
    issues.push({ place: 'plans.unlimited', detail: 'cannot be defined: every file has this plan, without a limit' });
  }
  const ids = new Map<string, number>();
  for (const [at, { id, plan }] of keys.entries()) {
    const first = ids.get(id);
    if (first === undefined) ids.set(id, at);
    else issues.push({ place: `keys[${at}].id`, detail: `is that of keys[${first}]` });
    if (planNamed(plan, plans) !== undefined) continue;
    issues.push({ place: `keys[${at}].plan`, detail: `is an unknown plan: ${JSON.stringify(plan)}` });
  }
  return issues;
}

function keyFileIssue({ path, message, ...issue }: z.core.$ZodIssue): KeyFileIssue {
  const place = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`)).join('');
  return { place: place.replace(/^\./, '') || 'the file', detail: detailOf(message, issue) };
}

/** zod's default messages are for programmers. */
function detailOf(message: string, issue: Pick<z.core.$ZodIssue, 'code'> & { keys?: string[] }): string {
  if (issue.code === 'unrecognized_keys') return `has unknown members: ${issue.keys?.join(', ')}`;
  if (!message.startsWith('Invalid')) return message;
  if (/received undefined/.test(message)) return 'is missing';
  return issue.code === 'invalid_key' ? `is an invalid plan name: ${PLAN_NAME_RULE}` : 'has the wrong type';
}

/**
 * Where a text stops being JSON: the end of its longest prefix that only lacks its end. The errors of JSON.parse do not
 * always have the position, and quote the text, which may contain a secret.
 */
function placeOfSyntaxError(text: string): string {
  if (text.trim() === '') return 'the file, which is empty,';
  let [good, bad] = [0, text.length + 1];
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (isPrefixOfJson(text.slice(0, middle))) good = middle;
    else bad = middle;
  }
  if (good === text.length) return 'the file, which ends too soon,';
  const before = text.slice(0, good).split('\n');
  return `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
}

function isPrefixOfJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    const [, position] = /at position (\d+)/.exec(message) ?? [];
    return position === undefined ? message.startsWith('Unexpected end') : Number(position) >= text.length;
  }
}
