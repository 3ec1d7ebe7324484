import { ASSET_FIELDS, type AssetField, type AssetType } from '@carbon/contracts';
import { type CriteriaFields, criteriaFields } from '@carbon/criteria';
import { KINDS } from './indexing/generation.js';

/** The fields that criteria may name, for each type of asset; read off the field list of the library. */
export const CRITERIA_FIELDS: Readonly<Record<AssetType, CriteriaFields>> = {
  POOL: fieldsFor('POOL'),
  PROJECT: fieldsFor('PROJECT'),
};

function fieldsFor(type: AssetType): CriteriaFields {
  const all = Object.entries<AssetField>(ASSET_FIELDS);
  const own = all.filter(([, field]) => field.on.includes(type));
  const others = all.filter(([, field]) => !field.on.includes(type));
  const list = own.map(([name, { type, multi = false, exact = false }]) => ({ name, type, multi, exact }));
  const elsewhere = others.map(([name, { on }]) => [name, on.map((other) => KINDS[other]).join()] as const);
  return criteriaFields(list, Object.fromEntries(elsewhere));
}
