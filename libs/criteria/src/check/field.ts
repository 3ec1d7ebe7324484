import { echo } from '../errors/echo.js';
import { foldName, suggestField } from '../errors/suggest.js';
import type { CriteriaField, CriteriaFields } from '../fields.js';
import type { NameNode } from '../parse/nodes.js';
import type { Findings } from './findings.js';

/** The field of a name, or the finding that there is none, with the name that was probably meant. */
export function resolveField(name: NameNode, fields: CriteriaFields, findings: Findings): CriteriaField | undefined {
  return (
    fields.find(name.text) ??
    findings.add('UNKNOWN_FIELD', name, `unknown field "${echo(name.text)}"`, {
      ...adviceFor(name.text, fields),
      allowed: fields.list.map((field) => field.name),
    })
  );
}

function adviceFor(name: string, fields: CriteriaFields): { suggestion?: string; hint?: string } {
  const folded = foldName(name);
  const other = Object.entries(fields.elsewhere).find(([field]) => foldName(field) === folded);
  if (other !== undefined) return { hint: `${other[0]} is available on ${other[1]}` };
  const suggestion = suggestField(name, fields);
  return suggestion === undefined ? {} : { suggestion };
}
