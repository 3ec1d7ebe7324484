import { echo } from '../errors/echo.js';
import type { CriteriaField, CriteriaFields } from '../fields.js';
import type { PredicateNode } from '../parse/nodes.js';
import { existenceTest } from '../parse/predicates/foreign-rewrites.js';
import { nameOf } from '../parse/predicates/head.js';
import type { Findings } from './findings.js';
import { refuseUnknown } from './unknown-field.js';

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
    if (hint === undefined) return refuseUnknown(predicate, fields, findings);
    const span = { position: name.position, length: operatorAt + operator.length - name.position };
    return findings.add('UNSUPPORTED_SYNTAX', span, `"${echo(name.text)}:" is not supported`, { hint });
  }
  return refuseUnknown(predicate, fields, findings);
}
