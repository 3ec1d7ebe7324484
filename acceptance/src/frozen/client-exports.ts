import ts from 'typescript';

const WHOLE =
  ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.InTypeAlias | ts.TypeFormatFlags.MultilineObjectLiterals;

/**
 * Returns the exports of a package by name: the members of classes and interfaces with their types, the type of
 * everything else.
 * @param declarations the path of its `index.d.ts`
 */
export function clientExports(declarations: string): Record<string, unknown> {
  const program = ts.createProgram([declarations], {
    strict: true,
    module: ts.ModuleKind.NodeNext,
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts'],
    types: [],
  });
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(declarations);
  const module = source && checker.getSymbolAtLocation(source);
  if (module === undefined) throw new Error(`${declarations} is no module; build the package first.`);
  const exported = checker.getExportsOfModule(module).map((symbol) => {
    const itself = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    return [symbol.name, shapeOf(checker, itself)] as const;
  });
  return Object.fromEntries(exported.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function shapeOf(checker: ts.TypeChecker, symbol: ts.Symbol): unknown {
  if (symbol.flags & ts.SymbolFlags.Class) {
    const made = checker.getTypeOfSymbol(symbol).getConstructSignatures();
    return {
      new: made.map((signature) => checker.signatureToString(signature, undefined, WHOLE)),
      members: membersOf(checker, checker.getDeclaredTypeOfSymbol(symbol)),
    };
  }
  if (symbol.flags & ts.SymbolFlags.Interface) {
    const members = membersOf(checker, checker.getDeclaredTypeOfSymbol(symbol));
    return { members: isGenerated(symbol) ? Object.keys(members) : members };
  }
  const isType = (symbol.flags & ts.SymbolFlags.TypeAlias) !== 0;
  const type = isType ? checker.getDeclaredTypeOfSymbol(symbol) : checker.getTypeOfSymbol(symbol);
  return checker.typeToString(type, undefined, WHOLE);
}

/** Generated from the OpenAPI description, which is frozen itself. */
function isGenerated(symbol: ts.Symbol): boolean {
  return (symbol.declarations ?? []).some((declaration) =>
    declaration.getSourceFile().fileName.includes('/generated/'),
  );
}

function membersOf(checker: ts.TypeChecker, type: ts.Type): Record<string, string> {
  const members = checker.getPropertiesOfType(type).filter(isPublic);
  const typed = members.map((member) => {
    const isOptional = (member.flags & ts.SymbolFlags.Optional) !== 0;
    const text = checker.typeToString(checker.getTypeOfSymbol(member), undefined, WHOLE);
    // The compiler numbers well-known symbols by what it has read before.
    const name = member.name.replace(/@\d+$/, '');
    return [`${name}${isOptional ? '?' : ''}`, text] as const;
  });
  return Object.fromEntries(typed.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function isPublic(member: ts.Symbol): boolean {
  return (member.declarations ?? []).every(
    (declaration) =>
      (ts.getCombinedModifierFlags(declaration) & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected)) === 0,
  );
}
