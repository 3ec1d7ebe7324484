import { echo } from '../errors/echo.js';
import { foldName, suggestField } from '../errors/suggest.js';
import type { CriteriaField, CriteriaFields } from '../fields.js';
import { scalarOf } from '../parse/advice/scalar.js';
import { bare } from '../parse/advice/spell.js';
import type { PredicateNode, Relation } from '../parse/nodes.js';
import { nameOf } from '../parse/predicates/head.js';
import type { Findings } from './findings.js';

/** How a comparison is written when its sides change places. */
const MIRRORED: Readonly<Record<Relation, string>> = { gt: '<', gte: '<=', lt: '>', lte: '>=' };

/** Names that an index gives to its sub-fields. */
const SUB_FIELD = /\.(keyword|exact|raw)$/i;

/** Notes that a predicate names no field, with the name that was probably meant. */
export function refuseUnknown(predicate: PredicateNode, fields: CriteriaFields, findings: Findings): undefined {
  const name = nameOf(predicate);
  return findings.add('UNKNOWN_FIELD', name, `unknown field "${echo(name.text)}"`, {
    ...adviceFor(predicate, fields),
    allowed: fields.list.map((field) => field.name),
  });
}

function adviceFor(predicate: PredicateNode, fields: CriteriaFields): { suggestion?: string; hint?: string } {
  const folded = foldName(predicate.field);
  const other = Object.entries(fields.elsewhere).find(([field]) => foldName(field) === folded);
  if (other !== undefined) return { hint: `${other[0]} is available on ${other[1]}` };
  const parent = SUB_FIELD.test(predicate.field) ? fields.find(predicate.field.replace(SUB_FIELD, '')) : undefined;
  if (parent !== undefined) return { suggestion: parent.name, hint: subFieldHint(predicate, parent) };
  const suggestion = suggestField(predicate.field.replace(SUB_FIELD, ''), fields);
  if (suggestion !== undefined) return { suggestion };
  const hint = mirrorHint(predicate, fields);
  return hint === undefined ? {} : { hint };
}

/** `ticker.keyword:BCT`: a sub-field holds the whole value, which `=` compares with. */
function subFieldHint(predicate: PredicateNode, { name, type, exact }: CriteriaField): string {
  const value = predicate.kind === 'equals' ? scalarOf(predicate) : undefined;
  if (value === undefined || value.pattern !== undefined) return `write ${name}`;
  return `write ${name}${type === 'text' && !exact ? ':' : ' = '}${bare(value.text)}`;
}

/** `3 < rating`: the field stands behind the sign. */
function mirrorHint(predicate: PredicateNode, fields: CriteriaFields): string | undefined {
  const value = scalarOf(predicate);
  const field = value && fields.find(value.text);
  if (field === undefined || predicate.kind === 'like') return undefined;
  const sign = predicate.kind === 'compare' ? MIRRORED[predicate.relation] : predicate.operator;
  return `the field stands first: write ${field.name} ${sign} ${bare(predicate.field)}`;
}
