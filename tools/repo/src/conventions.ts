import { Command } from 'commander';
import { retiredIdentifiers } from './retired-identifiers.js';
import { textOf, trackedFiles } from './tracked-files.js';

/** A convention: the files it applies to, and its violations in one of them. */
interface Rule {
  readonly rule: string;
  readonly appliesTo: (file: string) => boolean;
  readonly violations: (file: string) => string[];
}

/** Generated files follow their generator, not these rules. */
const isGenerated = (file: string) => file.startsWith('libs/client/src/generated/');
const isSource = (file: string) => /\.(tsx?|mts|mjs)$/.test(file) && !isGenerated(file);
const MAX_LINES = 250;
const MEANINGLESS_FOLDER = /(^|\/)(utils?|helpers?|common|shared|core)(\/|$)/;
const REGISTRY = /https?:\/\/(registry|repo1?|files|proxy|deb|static|index)\.[a-z]/;
/** Without types: most are inferred from a schema or a table, which is documented. */
const EXPORTED = /^export (abstract |async )?(const|function|class|interface) /;
const HOME_PATH = /(^|[^\w.-])\/(home|root|Users)\/[a-z]/;

const RULES: readonly Rule[] = [
  {
    rule: 'a folder is named after its content',
    appliesTo: () => true,
    violations: (file) =>
      MEANINGLESS_FOLDER.test(file) ? ['utils, helpers, common, shared and core say nothing'] : [],
  },
  {
    rule: `a source file has at most ${MAX_LINES} lines`,
    appliesTo: isSource,
    violations: (file) => {
      const lines = textOf(file).split('\n').length - 1;
      return lines > MAX_LINES ? [`${lines} lines`] : [];
    },
  },
  {
    rule: 'no address of a package registry is committed',
    appliesTo: (file) => /\.(json|npmrc|ts|mjs|md|ya?ml|xml)$|Dockerfile$|^\.ci\//.test(file),
    violations: (file) => linesWith(file, REGISTRY),
  },
  {
    rule: 'no absolute home path is committed',
    appliesTo: (file) => isSource(file) || /\.(md|ya?ml|json)$/.test(file),
    violations: (file) => linesWith(file, HOME_PATH),
  },
  {
    rule: 'an exported symbol has a doc comment',
    appliesTo: (file) => isSource(file) && !/\.spec\.ts$|(^|\/)test-[^/]+\.ts$|\/testing\//.test(file),
    violations: (file) => {
      const lines = textOf(file).split('\n');
      return lines
        .filter((line, at) => EXPORTED.test(line) && !isDocumented(lines, at))
        .map((line) => line.slice(0, 100));
    },
  },
  {
    rule: 'names are the terms of the field',
    // In chaos/ a fault is an injected failure.
    appliesTo: (file) => isSource(file) && !file.startsWith('chaos/'),
    violations: retiredIdentifiers,
  },
  {
    rule: 'every test runs',
    appliesTo: (file) => /\.spec\.ts$/.test(file),
    violations: (file) => linesWith(file, /\b(describe|it|test)\.(skip|only|todo|failing)\b|\bx(it|describe)\(/),
  },
];

/** Returns whether a doc comment precedes a declaration, its decorators, and the one-line declarations of its group. */
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
  const files = trackedFiles().filter((file) => file !== 'tools/repo/src/conventions.ts');
  const found = RULES.flatMap((rule) =>
    files
      .filter(rule.appliesTo)
      .flatMap((file) => rule.violations(file).map((violation) => `${file}: ${rule.rule} (${violation})`)),
  );
  for (const line of found) console.error(line);
  console.error(
    found.length === 0
      ? `conventions: ${files.length} files without violations`
      : `conventions: ${found.length} violations`,
  );
  process.exitCode = found.length === 0 ? 0 : 1;
}

new Command('conventions')
  .description('Checks the conventions in every file of the checkout; exits with 1 if one is violated.')
  .action(main)
  .parse();
