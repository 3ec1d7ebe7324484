#!/usr/bin/env node
import { runCommand } from '@carbon/terminal';
import { Command } from 'commander';
import { addDescribeFields } from './assets/describe-fields.js';
import { addSearchAssets } from './assets/search-assets.js';
import { addCreateEstimate } from './estimates/create-estimate.js';
import { addCreateOffset } from './offsets/create-offset.js';
import { addListOffsets } from './offsets/list-offsets.js';
import { addPrintReceipt } from './offsets/print-receipt.js';
import { addShow } from './show.js';

const HELP = `
Asks the gateway that runs in this checkout; elsewhere the one that GATEWAY_URL
names. Where it asks for a key, that is taken from API_KEY, or from the file
that API_KEY_FILE names; there is no option for it, since shells keep what is
typed.

On a terminal it prints for people, elsewhere JSON: one document, or for lists a
line for each.
Exit codes: 0 done; 1 refused, or an offset that failed; 2 wrong usage; 75 no
answer, or not in time, so that it may be tried again; 77 the key is missing,
unknown, or may not do it.`;

const program = new Command('cli')
  .usage('<command> [options]')
  .description('Offsets emissions and searches the asset library, from a command line.')
  .addHelpText('after', HELP)
  .exitOverride();

addCreateOffset(program);
addListOffsets(program);
addShow(program);
addPrintReceipt(program);
addCreateEstimate(program);
addSearchAssets(program, 'pools');
addSearchAssets(program, 'projects');
addDescribeFields(program);

await runCommand(program);
