import type { AssetType } from '@carbon/contracts';
import { type Compiled, compile, snippet, toErrorItem } from '@carbon/criteria';
import { UserFault } from '@carbon/faults';
import { CRITERIA_FIELDS } from '../criteria-fields.js';

type Filter = Extract<Compiled, { ok: true }>;

/** What selects the assets that criteria mean. @throws UserFault invalid_criteria with every mistake and where it is */
export function criteriaFilter(criteria: string, type: AssetType): Filter {
  const compiled = compile(criteria, CRITERIA_FIELDS[type]);
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
