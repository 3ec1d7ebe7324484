import { type AssetFieldName, type AssetType, fieldsText } from '@carbon/contracts';
import type { z } from 'zod';
import { flawOfNames } from './name-list.js';
import { namesFor } from './type-names.js';

/** The fields that a client asks for, in the order of the field list, and how that was written. */
export interface FieldsParameter {
  readonly text: string;
  readonly names: readonly AssetFieldName[];
}

const ALL = '*';

/** Reads `fields`: names of fields, or `*` alone for all that assets of this type have. */
export function fieldsParameter(type: AssetType): z.ZodType<FieldsParameter, string> {
  const rule = namesFor(type, 'is no field here');
  return fieldsText(type).transform((text, context): FieldsParameter => {
    const named: readonly string[] = text === ALL ? rule.known : text.split(',');
    const flaw = named.includes(ALL)
      ? { detail: `holds ${ALL}, which stands alone`, advice: {} }
      : flawOfNames(named, rule);
    if (flaw) context.addIssue({ code: 'custom', message: flaw.detail, params: flaw.advice });
    return { text, names: rule.known.filter((name) => named.includes(name)) };
  });
}
