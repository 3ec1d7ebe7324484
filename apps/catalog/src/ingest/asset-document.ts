import { type Asset, fieldsOf } from '@carbon/contracts';

type Value = Asset[keyof Asset];

/**
 * The document that stands for an asset in the index: the fields its type has. Strings are put in Unicode's composed
 * form, for the index folds accents of composed characters only; `+ 0` takes the sign off a zero, which would be less
 * than zero to the index.
 */
export function assetDocument(asset: Asset): Record<string, unknown> {
  const document: Record<string, unknown> = {};
  for (const field of fieldsOf(asset.type)) {
    const value = asset[field];
    if (value !== undefined) document[field] = normalized(value);
  }
  return document;
}

function normalized(value: Value): unknown {
  if (typeof value === 'string') return value.normalize('NFC');
  if (typeof value === 'number') return value + 0;
  return Array.isArray(value) ? value.map(normalized) : value;
}
