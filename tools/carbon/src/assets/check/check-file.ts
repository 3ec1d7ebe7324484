import { AssetTable } from '../fold/asset-table.js';
import { type Line, readLines } from '../input/lines.js';
import type { Input } from '../input/open-input.js';
import { type BadLine, checkLine, type SoundLine } from './check-line.js';

/** A file after its check. */
export interface CheckedFile {
  /** Every id of the file, with the content of those that are sound. */
  readonly table: AssetTable;
  readonly sound: number;
  readonly invalid: number;
}

/** Who hears of a check while it runs. Each is called in the order of the lines, and awaited before the next. */
export interface CheckWatcher {
  sound(line: SoundLine): Promise<void> | void;
  bad(line: Line, faults: readonly string[]): Promise<void>;
  /** Called now and then with how many lines were checked. */
  checked(lines: number): void;
}

/** Checks every line, each by itself and against the ids before it, and tells the watcher of each bad one. */
export async function checkFile(input: Pick<Input, 'file'>, watcher: CheckWatcher): Promise<CheckedFile> {
  const table = new AssetTable();
  let sound = 0;
  let invalid = 0;
  for await (const lines of readLines(input.file)) {
    for (const line of lines) {
      const result = judge(line, table);
      if ('json' in result) {
        sound += 1;
        await watcher.sound(result);
      } else {
        invalid += 1;
        await watcher.bad(line, result.faults);
      }
    }
    watcher.checked(sound + invalid);
  }
  return { table, sound, invalid };
}

/** An id counts as used on a bad line too: which of the two lines is meant is for a person to say. */
function judge(line: Line, table: AssetTable): SoundLine | BadLine {
  const result = checkLine(line);
  if (result.id === undefined) return result;
  const isSound = 'json' in result;
  const earlier = table.add(result.id, line.number, isSound ? result.json : undefined);
  if (earlier === undefined) return result;
  const faults = isSound ? [] : result.faults;
  return { id: result.id, faults: [...faults, `id stands on line ${earlier} already`] };
}
