import type { Screen } from '@carbon/terminal';
import { BadLines } from '../check/bad-lines.js';
import { type CheckedFile, checkFile } from '../check/check-file.js';
import type { Input } from '../input/open-input.js';
import type { LibraryTopic } from '../library/library-topic.js';
import { CheckedLines } from './checked-lines.js';
import { SendWindow } from './send-window.js';

/** The flags of `publish`. */
export interface PublishOptions {
  /** Publish the sound lines although others are bad. */
  readonly skipInvalid: boolean;
  /** Send what the library holds already, too. */
  readonly force: boolean;
}

/** Brings a file into the library: check all of it, see what the library holds, send what differs. */
export class PublishFile {
  constructor(
    private readonly library: LibraryTopic,
    private readonly screen: Screen,
  ) {}

  /** @returns the exit code: 1 when a line was bad. Throws `CannotDo` when Kafka does not play along. */
  async run(input: Input, options: PublishOptions): Promise<number> {
    await using lines = new CheckedLines();
    const checked = await this.check(input, options, lines);
    const { invalid, sound } = checked;
    const publish = sound > 0 && (invalid === 0 || options.skipInvalid);
    if (invalid > 0) this.screen.say(this.advice(input, options, invalid));
    if (publish && !options.force) await this.fold(checked);
    const { published, unchanged } = publish
      ? await this.send(lines, checked, options)
      : { published: 0, unchanged: 0 };
    this.screen.say(`published ${published}, unchanged ${unchanged}, invalid ${invalid}`);
    return invalid > 0 ? 1 : 0;
  }

  private async check(input: Input, { skipInvalid }: PublishOptions, lines: CheckedLines): Promise<CheckedFile> {
    await using badLines = new BadLines(input.file, input.invalidPath);
    let publish = true;
    return await checkFile(input, {
      sound: (line) => (publish ? lines.add(line) : undefined),
      bad: async (line, faults) => {
        publish = skipInvalid;
        for (const fault of faults) this.screen.say(`line ${line.number}: ${fault}`);
        if (skipInvalid) await badLines.add(line);
      },
      checked: (lines) => this.screen.show(`checked ${count(lines)} lines of ${input.name}`),
    });
  }

  private async fold({ table }: CheckedFile): Promise<void> {
    let messages = 0;
    await this.library.read(({ id, value, fit }) => {
      // What is no asset stands in nobody's way: the line is sent again, whatever it says.
      table.fold(id, fit ? value : null);
      messages += 1;
      this.screen.show(`compared with ${count(messages)} messages of the library`);
    });
  }

  private async send(lines: CheckedLines, { table, sound }: CheckedFile, { force }: PublishOptions) {
    const window = new SendWindow(this.library);
    let published = 0;
    let unchanged = 0;
    for await (const group of lines.groups()) {
      for (const line of group) {
        if (!force && table.isUnchanged(line.id)) unchanged += 1;
        else {
          await window.add(line);
          published += 1;
        }
      }
      this.screen.show(`published ${count(published)} of ${count(sound)}, unchanged ${count(unchanged)}`);
    }
    await window.confirmed();
    return { published, unchanged };
  }

  private advice({ invalidPath }: Input, { skipInvalid }: PublishOptions, invalid: number): string {
    const lines = invalid === 1 ? '1 line is bad' : `${count(invalid)} lines are bad`;
    if (skipInvalid) return `${lines} and copied to ${invalidPath}`;
    return `${lines}, so nothing was published; mend the file, or publish the rest with --skip-invalid`;
  }
}

function count(number: number): string {
  return number.toLocaleString('en-US');
}
