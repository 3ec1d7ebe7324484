import type { OffsetStatus } from '@carbon/client';
import { ending } from '@carbon/terminal';
import { type Command, Option } from 'commander';
import { type Means, withMeans } from '../means.js';
import { type ListFlags, listing, readMoment } from '../options.js';
import { pageSize, printList } from '../printing/print-list.js';
import { offsetColumns } from './offset-text.js';

interface Flags extends ListFlags {
  readonly status?: OffsetStatus;
  readonly ref?: string;
  readonly estimate?: string;
  readonly from?: Date;
  readonly to?: Date;
}

const STATUSES = ['queued', 'processing', 'completed', 'failed'] satisfies readonly OffsetStatus[];

const HELP = `
  npm run cli -- offsets --status failed --from 2d
  npm run --silent cli -- offsets --all | jq -r .id`;

/** `offsets` */
export function addListOffsets(program: Command): void {
  const command = program
    .command('offsets')
    .description('list the offsets of the account, newest first')
    .addOption(new Option('--status <status>', 'only those with this status').choices(STATUSES))
    .option('--ref <text>', 'only those with this reference')
    .option('--estimate <id>', 'only those of this estimate')
    .option('--from <time>', 'created then or later: a time, or how long ago (90m, 12h, 2d)', readMoment)
    .option('--to <time>', 'created before then', readMoment)
    .addHelpText('after', HELP);
  listing(command, 20).action((flags: Flags) => ending(withMeans(flags, {}, (means) => listOffsets(means, flags))));
}

function listOffsets(means: Means, flags: Flags): Promise<number> {
  const { status, ref, estimate, from, to } = flags;
  const filter = { status, customerRef: ref, estimateId: estimate, createdFrom: from, createdTo: to };
  const { signal, carbon } = means;
  const offsets = carbon.offsets.list({ ...filter, limit: pageSize(flags) }, { signal });
  return printList(means, offsets, flags, { columns: offsetColumns(), none: 'There is no such offset.' });
}
