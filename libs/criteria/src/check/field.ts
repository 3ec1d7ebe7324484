import { echo } from '../errors/echo.js';
import { foldName, suggestField } from '../errors/suggest.js';
import type { CriteriaField, CriteriaFields } from '../fields.js';
import type { PredicateNode } from '../parse/nodes.js';
import type { Findings } from './findings.js';

/** Names that other languages put before a field to ask whether it has a value. */
const EXISTENCE_NAMES: ReadonlyMap<string, string> = new Map([
  ['has', 'exists'],
  ['_exists_', 'exists'],
  ['exists', 'exists'],
  ['no', 'is null'],
  ['missing', 'is null'],
  ['_missing_', 'is null'],
]);

/** The field of a predicate, or the finding that there is none, with the name that was probably meant. */
export function resolveField(
  predicate: PredicateNode,
  fields: CriteriaFields,
  findings: Findings,
): CriteriaField | undefined {
  return fields.find(predicate.field.text) ?? refuseName(predicate, fields, findings);
}

function refuseName(predicate: PredicateNode, fields: CriteriaFields, findings: Findings): undefined {
  const name = predicate.field;
  const test = EXISTENCE_NAMES.get(name.text.toLowerCase());
  if (test !== undefined && predicate.kind === 'equals' && predicate.operand.kind === 'scalar') {
    const { operator, operand } = predicate;
    const span = { position: name.position, length: operator.position + operator.text.length - name.position };
    const hint = `write ${echo(operand.value.text)} ${test}`;
    return findings.add('UNSUPPORTED_SYNTAX', span, `"${echo(name.text)}:" is not supported`, { hint });
  }
  return findings.add('UNKNOWN_FIELD', name, `unknown field "${echo(name.text)}"`, {
    ...adviceFor(name.text, fields),
    allowed: fields.list.map((field) => field.name),
  });
}

function adviceFor(name: string, fields: CriteriaFields): { suggestion?: string; hint?: string } {
  const folded = foldName(name);
  const other = Object.entries(fields.elsewhere).find(([field]) => foldName(field) === folded);
  if (other !== undefined) return { hint: `${other[0]} is available on ${other[1]}` };
  const suggestion = suggestField(name, fields);
  return suggestion === undefined ? {} : { suggestion };
}
