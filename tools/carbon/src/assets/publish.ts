import type { Readable } from 'node:stream';
import { EXIT, type TerminalOutput } from '@carbon/terminal';
import { type Input, InvalidLines, openInput, readLines } from './asset-lines.js';
import { LineTable } from './asset-tables.js';
import type { AssetTopic, AssetUpdate } from './asset-topic.js';
import { type CheckedLine, checkLine, TOO_LONG } from './check-line.js';

/** The flags of `publish`. */
export interface PublishOptions {
  /** Publish the valid lines although others are invalid. */
  readonly skipInvalid: boolean;
  /** Send assets that the library already has in this version, too. */
  readonly force: boolean;
  /** Publish nothing if the topic has ever had a message. */
  readonly ifEmpty: boolean;
}

interface Checked {
  readonly valid: number;
  readonly invalid: number;
}

const PROGRESS_EVERY = 1_000;

/** Publishes a file: checks all of it, compares it with the library, sends what differs. @returns the exit code */
export async function publishFile(
  path: string,
  stdin: Readable,
  options: PublishOptions,
  output: TerminalOutput,
  library: AssetTopic,
): Promise<number> {
  await using topic = library;
  if (options.ifEmpty && (await topic.hasEverHadMessages())) {
    output.say('The library has been published before: nothing is sent.');
    return EXIT.done;
  }
  const input = await openInput(path, stdin);
  using lines = new LineTable();
  await using invalidLines = new InvalidLines(input.invalidPath);
  const { valid, invalid } = await check(input, options, lines, invalidLines, output);
  const counts = { published: 0, unchanged: 0 };
  if (valid > 0 && (invalid === 0 || options.skipInvalid)) {
    if (!options.force) await compare(topic, lines, output);
    counts.unchanged = lines.countUnchanged();
    counts.published = await topic.publish(changedLines(lines, valid - counts.unchanged, output));
  }
  const summary = `published ${counts.published}, unchanged ${counts.unchanged}, invalid ${invalid}`;
  // Only now: the input may be the file that this replaces, and it is needed again if sending fails.
  await invalidLines.finish().catch((error: unknown) => {
    output.say(summary);
    throw error;
  });
  if (invalid > 0) output.say(summaryOfInvalid(invalid, input, options));
  output.say(summary);
  return invalid > 0 ? EXIT.failed : EXIT.done;
}

/** Checks every line by itself and against the ids before it, and reports every error and warning. */
async function check(
  { name, stream }: Input,
  { skipInvalid }: PublishOptions,
  lines: LineTable,
  invalidLines: InvalidLines,
  output: TerminalOutput,
): Promise<Checked> {
  const counts = { valid: 0, invalid: 0 };
  for await (const group of readLines(stream)) {
    for (const line of group) {
      const { errors, warnings } = line.isTooLong
        ? { errors: [TOO_LONG], warnings: [] }
        : findingsOf(line, lines, skipInvalid || counts.invalid === 0);
      if (errors.length > 0 && skipInvalid) await invalidLines.add(line);
      if (!line.isLast) continue;
      for (const error of errors) output.say(`line ${line.number}: ${error}`);
      for (const warning of warnings) output.say(`line ${line.number}: warning: ${warning}`);
      counts[errors.length > 0 ? 'invalid' : 'valid'] += 1;
    }
    output.progress(`checked ${formatCount(counts.valid + counts.invalid)} lines of ${name}`);
  }
  return counts;
}

/** An id counts as used on an invalid line, too: only a person can say which of the two lines is meant. */
function findingsOf(
  { number, bytes }: { readonly number: number; readonly bytes: Buffer },
  lines: LineTable,
  isPublishing: boolean,
): Pick<CheckedLine, 'errors' | 'warnings'> {
  const { id, json, errors, warnings } = checkLine(bytes);
  if (id === undefined) return { errors, warnings };
  const earlier = lines.add(number, id, isPublishing && json !== undefined ? json : null);
  if (earlier === undefined) return { errors, warnings };
  return { errors: [...errors, `id is already used on line ${earlier}`], warnings: [] };
}

async function compare(topic: AssetTopic, lines: LineTable, output: TerminalOutput): Promise<void> {
  let messages = 0;
  await topic.read(({ id, value, isValid }) => {
    // An invalid message replaces nothing; the line is sent again, whatever the message says.
    lines.compareWith(id, isValid && value !== null ? value.toString() : null);
    messages += 1;
    output.progress(`compared with ${formatCount(messages)} messages of the library`);
  });
}

/** Yields the lines to publish, and shows how many were. */
function* changedLines(lines: LineTable, total: number, output: TerminalOutput): Generator<AssetUpdate> {
  let published = 0;
  for (const line of lines.changed()) {
    yield line;
    published += 1;
    if (published % PROGRESS_EVERY === 0)
      output.progress(`published ${formatCount(published)} of ${formatCount(total)}`);
  }
}

function summaryOfInvalid(count: number, { invalidPath }: Input, { skipInvalid }: PublishOptions): string {
  const lines = count === 1 ? '1 line is invalid' : `${formatCount(count)} lines are invalid`;
  if (skipInvalid) return `${lines} and copied to ${invalidPath}`;
  return `${lines}, so nothing was published; fix the file, or publish the rest with --skip-invalid`;
}

function formatCount(count: number): string {
  return count.toLocaleString('en-US');
}
