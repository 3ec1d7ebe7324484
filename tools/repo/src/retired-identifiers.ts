import ts from 'typescript';
import { z } from 'zod';
import { textOf } from './tracked-files.js';

const replacements = z.record(z.string(), z.string());
/**
 * Retired words with their replacements: `words` anywhere in a name (in capitals: only in constants), `names` as the
 * whole name.
 */
const RETIRED = z
  .object({ words: replacements, names: replacements })
  .parse(JSON.parse(textOf('tools/repo/retired-identifiers.json')));

/** Declared names of a source file that contain a retired word, one sentence each. Prose and strings are not checked. */
export function retiredIdentifiers(file: string): string[] {
  const source = ts.createSourceFile(file, textOf(file), ts.ScriptTarget.Latest);
  const found = new Map<string, string>();
  const visit = (node: ts.Node): void => {
    if (isDeclaration(node) && node.name !== undefined && ts.isIdentifier(node.name)) {
      const name = node.name.text;
      const replacement = replacementOf(name);
      if (replacement !== undefined) found.set(name, `${name}: use ${replacement}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return [...found.values()];
}

function isDeclaration(node: ts.Node): node is ts.NamedDeclaration {
  return (
    ts.isClassDeclaration(node) ||
    ts.isFunctionDeclaration(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isMethodDeclaration(node) ||
    ts.isVariableDeclaration(node) ||
    ts.isBindingElement(node) ||
    ts.isParameter(node) ||
    ts.isPropertyDeclaration(node) ||
    ts.isPropertySignature(node) ||
    ts.isGetAccessor(node)
  );
}

/** `takeOverLeases` and `TAKE_OVER_MS` both contain the word `TakeOver`. */
function replacementOf(name: string): string | undefined {
  if (Object.hasOwn(RETIRED.names, name)) return RETIRED.names[name];
  const words = name.split(/_|(?<=[a-z\d])(?=[A-Z])/);
  const capitalised = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase());
  const candidates = [...words.filter((word) => /^[A-Z]{2,}$/.test(word)), ...capitalised.flatMap(withNext)];
  const retired = candidates.find((word) => Object.hasOwn(RETIRED.words, word));
  return retired === undefined ? undefined : RETIRED.words[retired];
}

function withNext(word: string, at: number, words: readonly string[]): string[] {
  return [word, `${word}${words[at + 1] ?? ''}`];
}
