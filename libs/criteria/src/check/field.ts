import { echo } from '../errors/echo.js';
import { foldName, suggestField } from '../errors/suggest.js';
import type { CriteriaField, CriteriaFields } from '../fields.js';
import type { NameNode, PredicateNode } from '../parse/nodes.js';
import { existenceTest } from '../parse/predicates/foreign-rewrites.js';
import { nameOf } from '../parse/predicates/parts.js';
import type { Findings } from './findings.js';

/** The field of a predicate, or the finding that there is none, with the name that was probably meant. */
export function resolveField(
  predicate: PredicateNode,
  fields: CriteriaFields,
  findings: Findings,
): CriteriaField | undefined {
  return fields.find(predicate.field) ?? refuseName(predicate, fields, findings);
}

function refuseName(predicate: PredicateNode, fields: CriteriaFields, findings: Findings): undefined {
  const name = nameOf(predicate);
  if (predicate.kind === 'equals' && predicate.operand.kind === 'scalar') {
    const { operator, operatorAt, operand } = predicate;
    const asked = fields.find(operand.text)?.name ?? 'field';
    const hint = existenceTest(name.text, asked);
    if (hint === undefined) return refuseUnknown(name, fields, findings);
    const span = { position: name.position, length: operatorAt + operator.length - name.position };
    return findings.add('UNSUPPORTED_SYNTAX', span, `"${echo(name.text)}:" is not supported`, { hint });
  }
  return refuseUnknown(name, fields, findings);
}

function refuseUnknown(name: NameNode, fields: CriteriaFields, findings: Findings): undefined {
  return findings.add('UNKNOWN_FIELD', name, `unknown field "${echo(name.text)}"`, {
    ...adviceFor(name.text, fields),
    allowed: fields.list.map((field) => field.name),
  });
}

function adviceFor(name: string, fields: CriteriaFields): { suggestion?: string; hint?: string } {
  const folded = foldName(name);
  const other = Object.entries(fields.elsewhere).find(([field]) => foldName(field) === folded);
  if (other !== undefined) return { hint: `${other[0]} is available on ${other[1]}` };
  const suggestion = suggestField(name.replace(/\.(keyword|exact|raw)$/i, ''), fields);
  return suggestion === undefined ? {} : { suggestion };
}
