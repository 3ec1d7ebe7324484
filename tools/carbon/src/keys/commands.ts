import { EMPTY_KEY_FILE, type KeyFile } from '@carbon/auth';
import { type Column, EXIT, noRoomFor, printableJson, Table } from '@carbon/terminal';
import { type Change, created, type MadeKey, planned, revoked, rotated, type Wanted } from './changes.js';
import { KeyStore } from './key-store.js';
import { keyFilePath } from './settings.js';
import { KEY_COLUMNS, PLAN_COLUMNS, plansOf, shownKey } from './shown.js';

// Each command returns its exit code. A person at a terminal gets tables and sentences, a program JSON on standard output.

/** Which file, and how what is found is told. */
export interface Ways {
  readonly file?: string | undefined;
  readonly json?: boolean | undefined;
}

const WIDTH = 100;
const SOON = 'A running gateway knows within 5 s.';

/** Makes a key and shows it, once. */
export async function create(wanted: Wanted, ways: Ways & { readonly raw: boolean }): Promise<number> {
  const { result, known } = await changed(ways, (file) => created(file, wanted, Date.now()));
  tell(result, known, ways);
  return EXIT.done;
}

/** Prints the keys, those of one account where it is named. */
export async function list(ways: Ways & { readonly account?: string }): Promise<number> {
  const { keys } = storeOf(ways).read();
  const wanted = keys.filter(({ account }) => ways.account === undefined || account === ways.account);
  print(
    wanted.map((entry) => shownKey(entry, Date.now())),
    KEY_COLUMNS,
    ways,
  );
  if (wanted.length === 0) say(ways.account === undefined ? 'There are no keys.' : `${ways.account} has no keys.`);
  return EXIT.done;
}

/** Ends a key at once. */
export async function revoke(id: string, ways: Ways): Promise<number> {
  const { result: entry, known } = await changed(ways, (file) => revoked(file, id, Date.now()));
  if (isForProgram(ways)) write(printableJson(shownKey(entry, Date.now())));
  say(`The key ${id} of ${entry.account} is revoked. ${known}`);
  return EXIT.done;
}

/** Makes a key in the place of another, which ends after the overlap. */
export async function rotate(
  id: string,
  ways: Ways & { readonly overlap: number; readonly raw: boolean },
): Promise<number> {
  const { result, known } = await changed(ways, (file) => rotated(file, id, ways.overlap, Date.now()));
  tell(result, known, ways);
  say(`The key ${id} is taken until ${result.old.expiresAt}.`);
  return EXIT.done;
}

/** Prints the plans. */
export async function plans(ways: Ways): Promise<number> {
  print(plansOf(storeOf(ways).read()), PLAN_COLUMNS, ways);
  return EXIT.done;
}

/** Makes, changes or takes away a plan. */
export async function plan(name: string, limit: Parameters<typeof planned>[2], ways: Ways): Promise<number> {
  const { result, known } = await changed(ways, (file) => planned(file, name, limit));
  if (isForProgram(ways)) write(printableJson(result));
  say(`The plan ${name} is ${limit === undefined ? 'what it is by itself, or gone' : 'set'}. ${known}`);
  return EXIT.done;
}

function storeOf({ file }: Ways): KeyStore {
  return new KeyStore(keyFilePath(file));
}

/** Changes the file, and says who knows of it: no gateway was started with a file that has just been made. */
async function changed<T>(
  ways: Ways,
  change: (file: KeyFile) => Change<T>,
): Promise<{ readonly result: T; readonly known: string }> {
  let known = SOON;
  const result = await storeOf(ways).change((file) => {
    if (file === EMPTY_KEY_FILE)
      known = `The key file is new: start the gateway with API_KEYS_FILE=${keyFilePath(ways.file)}`;
    return change(file);
  });
  return { result, known };
}

function tell({ entry, text }: MadeKey, known: string, ways: Ways & { readonly raw: boolean }): void {
  if (ways.raw || !isForProgram(ways)) write(text);
  else write(printableJson({ ...shownKey(entry, Date.now()), key: text }));
  const until = entry.expiresAt === undefined ? '' : ` It expires at ${entry.expiresAt}.`;
  say(`This is the key ${entry.id} of ${entry.account}, shown this once: only its hash is kept.${until} ${known}`);
}

function print<Row>(rows: readonly Row[], columns: readonly Column<Row>[], ways: Ways): void {
  if (isForProgram(ways)) {
    for (const row of rows) write(printableJson(row));
    return;
  }
  const table = new Table(columns, process.stdout.columns || WIDTH);
  for (const line of table.lines(rows)) write(line);
  if (table.omitted.length > 0) say(noRoomFor(table.omitted));
}

function isForProgram({ json }: Ways): boolean {
  return json ?? !process.stdout.isTTY;
}

function write(line: string): void {
  process.stdout.write(`${line}\n`);
}

function say(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
}
