import { join } from 'node:path';
import { CHECKOUT, type Command, temporaryDir } from '@carbon/local';
import { EXIT, UsageError } from '@carbon/terminal';
import type { Bug } from './bug.js';
import { applyEdits, build, copyCheckout } from './copy-checkout.js';
import type { Fault } from './fault.js';
import { loadBugs, loadFaults } from './load-modules.js';
import { type Outcome, runUnderLoad } from './run-under-load.js';
import { ChaosSystem } from './system/chaos-system.js';
import { SHAPES, type Shape } from './system/shape.js';
import { type OnEngines, withEngines } from './system/with-engines.js';

/** The deliberate bugs to run, and how. */
export interface BugOptions {
  /** Only these; all by default. */
  readonly only?: readonly string[];
  readonly seed: number;
  readonly signal: AbortSignal;
  readonly say: (step: string) => void;
}

/**
 * Applies each deliberate bug to a copy of the checkout, runs its scenario, and reports whether its count detected it.
 * The engines are started once, for all bugs.
 */
export async function runBugs({ only, seed, signal, say }: BugOptions): Promise<number> {
  const known = await loadBugs();
  const wrong = only?.filter((name) => !known.some((bug) => bug.name === name)) ?? [];
  if (wrong.length > 0)
    throw new UsageError(`There is no bug ${wrong.join(', ')}. Bugs: ${known.map(({ name }) => name).join(', ')}`);
  const bugs = known.filter(({ name }) => only === undefined || only.includes(name));
  using folder = await temporaryDir();
  const shape: Shape = { ...SHAPES.ci, registry: false, perSecond: 150, drainMs: 20_000, servesWithinMs: 30_000 };
  let escaped = 0;
  const copy = join(folder.dir, 'checkout');
  say('copying the checkout');
  await copyCheckout(copy);
  await withEngines({ dir: folder.dir, shape, smallDisks: false, say }, async (on) => {
    for (const [at, bug] of bugs.entries()) {
      const report = (step: string) => say(`bug ${at + 1} of ${bugs.length} ${bug.name}: ${step}`);
      const caught = await isCaught({ ...on, dir: folder.dir, copy, bug, seed, signal, report, shape, number: at });
      report(caught ? `caught by ${bug.caughtBy}` : `NOT CAUGHT: ${bug.caughtBy} is 0`);
      if (!caught) escaped += 1;
    }
  });
  say(`${bugs.length - escaped} of ${bugs.length} deliberate bugs were caught`);
  return escaped === 0 && bugs.length > 0 ? EXIT.done : EXIT.failed;
}

interface Trial extends OnEngines {
  readonly dir: string;
  readonly copy: string;
  readonly bug: Bug;
  readonly number: number;
  readonly seed: number;
  readonly shape: Shape;
  readonly signal: AbortSignal;
  readonly report: (step: string) => void;
}

async function isCaught({ copy, bug, report, ...trial }: Trial): Promise<boolean> {
  report('building');
  const undo = await applyEdits(copy, bug);
  try {
    await build(copy, bug);
    const { findings } = await scenario({ copy, bug, report, ...trial });
    for (const count of findings.failures)
      report(`${count} ${findings.of(count)}: ${findings.examples.get(count)?.[0]}`);
    return findings.of(bug.caughtBy) > 0;
  } finally {
    await undo();
  }
}

/** Runs the one fault of a bug, on a system with the copy's apps. */
async function scenario({
  dir,
  engines,
  clocks,
  copy,
  bug,
  number,
  seed,
  signal,
  report,
  ...trial
}: Trial): Promise<Outcome> {
  const shape = { ...trial.shape, ...bug.shape };
  // Commands, of both apps and steps, have paths of this checkout.
  const adapt = (command: Command): Command => ({
    ...command,
    cwd: command.cwd.replace(CHECKOUT, copy),
    args: command.args.map((argument) => argument.replace(CHECKOUT, copy)),
  });
  const system = await ChaosSystem.start({ dir, engines, clocks, shape, name: `bug${number}`, adapt });
  try {
    const schedule = [await faultNamed(bug.fault)];
    return await runUnderLoad({ system, schedule, seed, signal, say: report });
  } finally {
    await system.stop();
  }
}

async function faultNamed(wanted: string): Promise<Fault> {
  const fault = (await loadFaults()).find(({ name }) => name === wanted);
  if (fault === undefined) throw new Error(`There is no fault ${wanted}.`);
  return fault;
}
