import { ASSET_FIELDS, type AssetField, type AssetType } from '@carbon/contracts';
import { type Compiled, type CriteriaFields, compile, criteriaFields, snippet, toErrorItem } from '@carbon/criteria';
import { UserFault } from '@carbon/faults';
import { KINDS } from '../indexing/generation.js';

const FIELDS: Readonly<Record<AssetType, CriteriaFields>> = { POOL: fieldsFor('POOL'), PROJECT: fieldsFor('PROJECT') };

type Filter = Extract<Compiled, { ok: true }>;

/** What selects the assets that criteria mean. @throws UserFault invalid_criteria with every mistake and where it is */
export function criteriaFilter(criteria: string, type: AssetType): Filter {
  const compiled = compile(criteria, FIELDS[type]);
  if (compiled.ok) return compiled;
  const { errors } = compiled;
  const detail =
    errors.length === 1
      ? `${errors[0]?.detail}. errors says where, and what may help.`
      : `${errors.length} things are wrong; each item of errors says where and what.`;
  throw new UserFault('invalid_criteria', detail, {
    items: errors.map(toErrorItem),
    members: { snippet: snippet(criteria, errors) },
  });
}

function fieldsFor(type: AssetType): CriteriaFields {
  const all = Object.entries<AssetField>(ASSET_FIELDS);
  const own = all.filter(([, field]) => field.on.includes(type));
  const others = all.filter(([, field]) => !field.on.includes(type));
  const list = own.map(([name, { type, multi = false, exact = false }]) => ({ name, type, multi, exact }));
  const elsewhere = others.map(([name, { on }]) => [name, on.map((other) => KINDS[other]).join()] as const);
  return criteriaFields(list, Object.fromEntries(elsewhere));
}
