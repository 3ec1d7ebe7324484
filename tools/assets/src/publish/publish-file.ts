import { canonicalJson } from '@carbon/contracts';
import { BadLines } from '../check/bad-lines.js';
import { type CheckedFile, checkFile } from '../check/check-file.js';
import { rereadLine } from '../check/check-line.js';
import { CannotDo } from '../failures.js';
import { readLines } from '../input/lines.js';
import type { Input } from '../input/open-input.js';
import type { LibraryTopic } from '../library/library-topic.js';
import type { Progress } from '../terminal/progress.js';
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
    private readonly progress: Progress,
  ) {}

  /** @returns the exit code: 1 when a line was bad. Throws `CannotDo` when Kafka does not play along. */
  async run(input: Input, options: PublishOptions): Promise<number> {
    const checked = await this.check(input, options);
    const { invalid, sound } = checked;
    const publish = sound > 0 && (invalid === 0 || options.skipInvalid);
    if (invalid > 0) this.progress.say(this.advice(input, options, invalid));
    if (publish && !options.force) await this.fold(checked);
    const { published, unchanged } = publish
      ? await this.send(input, checked, options)
      : { published: 0, unchanged: 0 };
    this.progress.say(`published ${published}, unchanged ${unchanged}, invalid ${invalid}`);
    return invalid > 0 ? 1 : 0;
  }

  private async check(input: Input, { skipInvalid }: PublishOptions): Promise<CheckedFile> {
    await using badLines = new BadLines(input.file, input.invalidPath);
    return await checkFile(input, {
      bad: async (line, faults) => {
        for (const fault of faults) this.progress.say(`line ${line.number}: ${fault}`);
        if (skipInvalid) await badLines.add(line);
      },
      checked: (lines) => this.progress.show(`checked ${count(lines)} lines of ${input.name}`),
    });
  }

  private async fold({ table }: CheckedFile): Promise<void> {
    let messages = 0;
    await this.library.read(({ id, value, fit }) => {
      // What is no asset stands in nobody's way: the line is sent again, whatever it says.
      table.fold(id, fit ? value : null);
      messages += 1;
      this.progress.show(`compared with ${count(messages)} messages of the library`);
    });
  }

  private async send(input: Input, { table, sound }: CheckedFile, { force }: PublishOptions) {
    const window = new SendWindow(this.library);
    let published = 0;
    let unchanged = 0;
    for await (const lines of readLines(input.file)) {
      for (const line of lines) {
        const again = rereadLine(line);
        if (!again || !table.expects(again.id, line.number)) continue;
        const json = canonicalJson(again.json);
        const state = table.stateOf(again.id, json);
        if (state === 'other') throw changedMeanwhile(input);
        if (state === 'unchanged' && !force) unchanged += 1;
        else {
          await window.add({ id: again.id, json });
          published += 1;
        }
      }
      this.progress.show(`published ${count(published)} of ${count(sound)}, unchanged ${count(unchanged)}`);
    }
    await window.confirmed();
    if (published + unchanged !== sound) throw changedMeanwhile(input);
    return { published, unchanged };
  }

  private advice({ invalidPath }: Input, { skipInvalid }: PublishOptions, invalid: number): string {
    const lines = invalid === 1 ? '1 line is bad' : `${count(invalid)} lines are bad`;
    if (skipInvalid) return `${lines} and copied to ${invalidPath}`;
    return `${lines}, so nothing was published; mend the file, or publish the rest with --skip-invalid`;
  }
}

function changedMeanwhile({ name }: Input): CannotDo {
  return new CannotDo(`${name} changed while it was being published. Run the command again.`);
}

function count(number: number): string {
  return number.toLocaleString('en-US');
}
