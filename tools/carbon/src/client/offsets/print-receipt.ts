import type { Receipt, ReceiptEntry } from '@carbon/client';
import { type Column, ending } from '@carbon/terminal';
import type { Command } from 'commander';
import { type Means, withMeans } from '../means.js';
import { type PrintFlags, printing } from '../options.js';
import { factLines, timeText } from '../printing/facts.js';
import type { Printer } from '../printing/printer.js';
import { tableLines } from '../printing/table-lines.js';

const COLUMNS: readonly Column<ReceiptEntry>[] = [
  { title: 'ASSET', of: ({ asset }) => asset },
  { title: 'SEQUENCE', of: ({ sequence }) => sequence, align: 'right' },
  { title: 'CREDITS', of: ({ credits }) => credits, align: 'right' },
  { title: 'PRICE', of: ({ price }) => price, align: 'right' },
  { title: 'AT', of: ({ at }) => timeText(at), rank: 2 },
  { title: 'HASH', of: ({ hash }) => hash, least: 13 },
  { title: 'REFERENCE', of: ({ reference }) => reference, least: 10, rank: 1 },
];

/** `receipt <id>` */
export function addPrintReceipt(program: Command): void {
  const command = program
    .command('receipt')
    .argument('<id>', 'the id of an offset')
    .description('print what the ledger holds of an offset; nothing until it is completed');
  printing(command).action((id: string, flags: PrintFlags) =>
    ending(withMeans(flags, {}, (means) => printReceipt(means, id))),
  );
}

async function printReceipt(means: Means, id: string): Promise<number> {
  const { carbon, printer, screen, signal } = means;
  const receipt = await means.answered(carbon.offsets.receipt(id, { signal }));
  await printer.one(receipt, () => receiptLines(receipt, printer));
  if (receipt.entries.length === 0) screen.say('The ledger holds nothing of it: it is not completed.');
  return 0;
}

function receiptLines({ offset, entries }: Receipt, printer: Printer): readonly string[] {
  const lines = tableLines(COLUMNS, entries, printer);
  return [...factLines([['offset', offset]], printer), ...(lines.length === 0 ? [] : ['', ...lines])];
}
