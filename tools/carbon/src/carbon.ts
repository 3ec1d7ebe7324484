#!/usr/bin/env node
/** Loads the command that the first argument names; any other argument is one of the client's commands. */
const COMMANDS: Readonly<Record<string, () => Promise<unknown>>> = {
  assets: () => import('./assets/cli.js'),
  catalog: () => import('@carbon/catalog/cli'),
  'dead-letters': () => import('./dead-letters/cli.js'),
  keys: () => import('./keys/cli.js'),
  ledger: () => import('@carbon/offsets/cli'),
  topics: () => import('./topics/make-topics.js'),
};

const load = COMMANDS[process.argv[2] ?? ''];
if (load !== undefined) process.argv.splice(2, 1);
await (load ?? (() => import('./client/cli.js')))();
