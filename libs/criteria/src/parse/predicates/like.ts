import { CODE } from '../../text/characters.js';
import { asLiteral, quotedPattern } from '../advice/spell.js';
import type { Cursor } from '../cursor.js';
import type { NameNode, PredicateNode, ValueNode } from '../nodes.js';
import { mistake } from '../syntax-mistake.js';
import { readQuotedPattern } from '../values/quoted.js';
import { readValue } from '../values/value.js';
import { fromSql } from './foreign-rewrites.js';
import { headOf } from './head.js';
import type { ReadOperator } from './read-operator.js';

/** `field like "*some text*"`: the one place where `*` and `?` are wildcards within quotes. */
export function readLike(cursor: Cursor, field: NameNode, operator: ReadOperator): PredicateNode {
  cursor.skipSpace();
  const operandAt = cursor.at;
  const operand = readPattern(cursor, operator.text);
  refusePercent(cursor, operand);
  return { ...headOf(cursor, field, operator, operandAt), kind: 'like', operand };
}

function readPattern(cursor: Cursor, after: string): ValueNode {
  const code = cursor.code();
  const isQuoted = code === CODE.doubleQuote || code === CODE.singleQuote;
  return isQuoted ? readQuotedPattern(cursor) : readValue(cursor, after);
}

/** SQL's `%`: without a wildcard of this language beside it, it was hardly meant as a character. */
function refusePercent(cursor: Cursor, operand: ValueNode): void {
  if (operand.pattern !== undefined || !operand.text.includes('%')) return;
  if (!operand.quoted && cursor.text.slice(operand.position, cursor.at).includes('\\%')) return;
  throw mistake('UNSUPPORTED_SYNTAX', operand, '"%" is no wildcard here', {
    hint: `write like ${quotedPattern(fromSql(operand.text))}, or ${otherReading(operand.text)}`,
  });
}

/** What to write when a sign of SQL's patterns was meant as a character. */
function otherReading(text: string): string {
  if (!text.includes('_')) return '= when "%" is meant';
  return `${quotedPattern(asLiteral(text).replaceAll('%', '*'))} when "_" is meant`;
}
