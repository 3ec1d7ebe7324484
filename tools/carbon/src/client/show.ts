import { ending } from '@carbon/terminal';
import type { Command } from 'commander';
import { estimateLines } from './estimates/estimate-text.js';
import { type Means, withMeans } from './means.js';
import { offsetLines } from './offsets/offset-text.js';
import { waitForOffset } from './offsets/wait-for-offset.js';
import { type WaitFlags, waiting } from './options.js';

/** `show <id>` */
export function addShow(program: Command): void {
  const command = program
    .command('show')
    .argument('<id>', 'the id of an offset (off_…) or of an estimate (est_…)')
    .description('print an offset or an estimate');
  waiting(command).action((id: string, flags: WaitFlags) =>
    ending(withMeans(flags, {}, (means) => show(means, id, flags))),
  );
}

async function show(means: Means, id: string, { wait, within }: WaitFlags): Promise<number> {
  const { carbon, printer, signal } = means;
  if (id.startsWith('est_')) {
    const estimate = await means.answered(carbon.estimates.get(id, { signal }));
    await printer.one(estimate, () => estimateLines(estimate, printer));
    return 0;
  }
  if (wait) return await waitForOffset(means, id, within);
  const offset = await means.answered(carbon.offsets.get(id, { signal }));
  await printer.one(offset, () => offsetLines(offset, printer));
  return 0;
}
