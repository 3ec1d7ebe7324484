import { ASSET_FIELDS, type AssetField, type AssetFieldName, type AssetType, fieldsOf } from '@carbon/contracts';

/** Fields of which nearly every asset has a value of its own: a list of the commonest tells nothing. */
const ONE_EACH: ReadonlySet<AssetFieldName> = new Set(['id', 'registryId', 'address']);
const LISTED: ReadonlySet<AssetField['type']> = new Set(['keyword', 'boolean', 'integer']);
const MEASURED: ReadonlySet<AssetField['type']> = new Set(['number', 'integer', 'date']);

/** A field of the library, and what is told of the values that stand in it. */
export interface DescribedField extends AssetField {
  readonly name: AssetFieldName;
  /** Its commonest values are listed. */
  readonly listed: boolean;
  /** Its least and its greatest value are told. */
  readonly measured: boolean;
}

/** The fields that an asset of this type has, in the order of the field list. */
export function describedFields(type: AssetType): readonly DescribedField[] {
  return fieldsOf(type).map((name) => {
    const field: AssetField = ASSET_FIELDS[name];
    return {
      ...field,
      name,
      listed: LISTED.has(field.type) && !ONE_EACH.has(name),
      measured: MEASURED.has(field.type),
    };
  });
}
