import { existsSync } from 'node:fs';
import { Command } from 'commander';
import { retiredIdentifiers } from './retired-identifiers.js';
import { ROOT, textOf, trackedFiles } from './tracked-files.js';

/** A house rule: which files it looks at and what it finds wrong in one. */
interface Rule {
  readonly says: string;
  readonly appliesTo: (file: string) => boolean;
  readonly faults: (file: string) => string[];
}

/** What a generator writes is held to its source, not to the rules for what people write. */
const isGenerated = (file: string) => file.startsWith('libs/client/src/generated/');
const isSource = (file: string) => /\.(ts|mts|mjs)$/.test(file) && !isGenerated(file);
const LONGEST_FILE = 250;
const NAMES_NOTHING = /(^|\/)(utils?|helpers?|common|shared|core)(\/|$)/;
const REGISTRY = /https?:\/\/(registry|repo1?|files|proxy|deb|static|index)\.[a-z]/;
/** Types are left out: most are read off a schema or a table, and take their words from it. */
const EXPORTED = /^export (abstract |async )?(const|function|class|interface) /;
const HOME_PATH = /(^|[^\w.-])\/(home|root|Users)\/[a-z]/;

const RULES: readonly Rule[] = [
  {
    says: 'a folder is named for what is in it',
    appliesTo: () => true,
    faults: (file) => (NAMES_NOTHING.test(file) ? ['utils, helpers, common, shared and core say nothing'] : []),
  },
  {
    says: `a source file has at most ${LONGEST_FILE} lines`,
    appliesTo: isSource,
    faults: (file) => {
      const lines = textOf(file).split('\n').length - 1;
      return lines > LONGEST_FILE ? [`${lines} lines`] : [];
    },
  },
  {
    says: 'no address of a package registry is committed',
    appliesTo: (file) => /\.(json|npmrc|ts|mjs|md|ya?ml|xml)$|Dockerfile$|^\.ci\//.test(file),
    faults: (file) => linesWith(file, REGISTRY),
  },
  {
    says: 'no absolute home path is committed',
    appliesTo: (file) => isSource(file) || /\.(md|ya?ml|json)$/.test(file),
    faults: (file) => linesWith(file, HOME_PATH),
  },
  {
    says: 'what is exported has a doc comment',
    appliesTo: (file) => isSource(file) && !/\.spec\.ts$|(^|\/)test-[^/]+\.ts$|\/testing\//.test(file),
    faults: (file) => {
      const lines = textOf(file).split('\n');
      return lines
        .filter((line, at) => EXPORTED.test(line) && !isDocumented(lines, at))
        .map((line) => line.slice(0, 100));
    },
  },
  {
    says: 'names are the terms of the field',
    // A fault is what chaos/ injects.
    appliesTo: (file) => isSource(file) && !file.startsWith('chaos/'),
    faults: retiredIdentifiers,
  },
  {
    says: 'every test runs',
    appliesTo: (file) => /\.spec\.ts$/.test(file),
    faults: (file) => linesWith(file, /\b(describe|it|test)\.(skip|only|todo|failing)\b|\bx(it|describe)\(/),
  },
];

/** Whether a doc comment stands above a declaration, its decorators and the one-line declarations it is one of. */
function isDocumented(lines: readonly string[], at: number): boolean {
  const above = lines[at - 1] ?? '';
  if (above.endsWith('*/')) return true;
  return /^(@|\}\)|\s+\S|export const .*;$)/.test(above) && isDocumented(lines, at - 1);
}

function linesWith(file: string, pattern: RegExp): string[] {
  return textOf(file)
    .split('\n')
    .flatMap((line, number) => (pattern.test(line) ? [`line ${number + 1}: ${line.trim().slice(0, 100)}`] : []));
}

function main(): void {
  const files = trackedFiles().filter(
    (file) => existsSync(`${ROOT}/${file}`) && file !== 'tools/repo/src/conventions.ts',
  );
  const found = RULES.flatMap((rule) =>
    files
      .filter(rule.appliesTo)
      .flatMap((file) => rule.faults(file).map((fault) => `${file}: ${rule.says} (${fault})`)),
  );
  for (const line of found) console.error(line);
  console.error(
    found.length === 0 ? `conventions: ${files.length} files, all in order` : `conventions: ${found.length} faults`,
  );
  process.exitCode = found.length === 0 ? 0 : 1;
}

new Command('conventions')
  .description('Holds every file of the checkout to the house rules; exits with 1 when one breaks them.')
  .action(main)
  .parse();
