import { ending } from '@carbon/terminal';
import type { Command } from 'commander';
import { type Means, withMeans } from '../means.js';
import { type PrintFlags, printing, readWeight } from '../options.js';
import { estimateLines } from './estimate-text.js';

interface Flags extends PrintFlags {
  readonly asset?: string;
}

const HELP = `
The price is held for 24 hours, for one offset of the same weight; nothing is
reserved.

  npm run cli -- estimate 2500
  npm run cli -- offset 2500 --estimate <the id that it printed>`;

/** `estimate <kg>` */
export function addCreateEstimate(program: Command): void {
  const command = program
    .command('estimate')
    .argument('<kg>', 'the emissions to price, in kilograms of CO2-equivalent', readWeight)
    .description('have a price held')
    .option('--asset <id>', 'all of it from this asset; from whichever is best unless given')
    .addHelpText('after', HELP);
  printing(command).action((kg: number, flags: Flags) =>
    ending(withMeans(flags, {}, (means) => createEstimate(means, kg, flags))),
  );
}

async function createEstimate(means: Means, kgCO2e: number, { asset }: Flags): Promise<number> {
  const { carbon, printer, signal } = means;
  const estimate = await means.answered(carbon.estimates.create({ kgCO2e, asset }, { signal }));
  await printer.one(estimate, () => estimateLines(estimate, printer));
  return 0;
}
