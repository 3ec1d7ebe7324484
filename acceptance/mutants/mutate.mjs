import ts from 'typescript';

const { SyntaxKind: Kind } = ts;
/** The replacement of each operator. */
const SWAPS = new Map([
  ...[
    ['<', '<='],
    ['<=', '<'],
    ['>', '>='],
    ['>=', '>'],
    ['===', '!=='],
    ['!==', '==='],
  ],
  ...[
    ['+', '-'],
    ['-', '+'],
    ['*', '/'],
    ['/', '*'],
    ['%', '*'],
    ['&', '|'],
    ['|', '&'],
  ],
  ...[
    ['&&', '||'],
    ['||', '&&'],
    ['??', '&&'],
    ['+=', '-='],
    ['-=', '+='],
  ],
]);

/**
 * Inserts every mutant into a source text, each behind a condition: `__mutant(7) ? a <= b : a < b`.
 * @param found receives an entry for each mutant; its index is the number in the condition
 */
export function withMutants(file, text, found) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const raw = (node) => node.getText(source);
  const isActive = (node, kind, shown) => {
    const line = source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
    return `__mutant(${found.push({ file, line, kind, from: raw(node).slice(0, 80), to: shown.slice(0, 80) }) - 1})`;
  };
  const render = (node) => {
    if (isLeftAlone(node)) return raw(node);
    let [out, at] = ['', node.getStart(source)];
    ts.forEachChild(node, (child) => {
      out += text.slice(at, child.getStart(source)) + render(child);
      at = child.end;
    });
    out += text.slice(at, node.end);
    if (ts.isExpressionStatement(node) && node.expression.expression?.kind !== Kind.SuperKeyword)
      return `{ if (!${isActive(node, 'statement dropped', '')}) ${out} }`;
    for (const [kind, other] of changesOf(node, raw)) out = `(${isActive(node, kind, other)} ? (${other}) : ${out})`;
    return out;
  };
  return render(source) + text.slice(source.endOfFileToken.end);
}

/** Nodes that are not executed (types, names, imports), or that are assigned to. */
function isLeftAlone(node) {
  const { parent } = node;
  if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isDecorator(node))
    return true;
  if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return true;
  if (parent === undefined || ts.isIdentifier(node)) return false;
  const isTarget = ts.isBinaryExpression(parent) && parent.left === node && isAssignment(parent);
  const isCounted =
    ts.isPrefixUnaryExpression(parent) || ts.isPostfixUnaryExpression(parent) || ts.isDeleteExpression(parent);
  return isTarget || isCounted || parent.name === node || ts.isTaggedTemplateExpression(parent);
}

function isAssignment({ operatorToken: { kind } }) {
  return kind >= Kind.FirstAssignment && kind <= Kind.LastAssignment;
}

function* changesOf(node, raw) {
  if (isCondition(node) && !/^[!=]==$/.test(node.operatorToken ? raw(node.operatorToken) : ''))
    yield ['condition negated', `!(${raw(node)})`];
  if (node.parent && (ts.isReturnStatement(node.parent) || isBodyOfArrow(node)))
    yield ['nothing returned', 'undefined'];
  if (ts.isBinaryExpression(node)) {
    const other = SWAPS.get(raw(node.operatorToken));
    if (other !== undefined) yield ['operator swapped', `(${raw(node.left)}) ${other} (${raw(node.right)})`];
  } else if (ts.isNumericLiteral(node)) yield ['number changed', `${raw(node)} + 1`];
  else if (ts.isBigIntLiteral(node)) yield ['number changed', `${raw(node)} + 1n`];
  else if (ts.isTemplateExpression(node)) yield ['text changed', "''"];
  else if (ts.isStringLiteral(node)) yield ['text changed', node.text === '' ? "'mutant'" : "''"];
  else if (node.kind === Kind.TrueKeyword) yield ['truth changed', 'false'];
  else if (node.kind === Kind.FalseKeyword) yield ['truth changed', 'true'];
  else if (ts.isArrayLiteralExpression(node) && node.elements.length > 0) yield ['list emptied', '[]'];
}

function isBodyOfArrow(node) {
  return ts.isArrowFunction(node.parent) && node.parent.body === node && !ts.isBlock(node);
}

function isCondition(node) {
  const { parent } = node;
  if (parent === undefined) return false;
  if (ts.isIfStatement(parent) || ts.isWhileStatement(parent) || ts.isDoStatement(parent))
    return parent.expression === node;
  return (ts.isConditionalExpression(parent) || ts.isForStatement(parent)) && parent.condition === node;
}
