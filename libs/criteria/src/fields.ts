/** The type of a field, which decides its operators and values. */
export type CriteriaFieldType = 'keyword' | 'text' | 'number' | 'integer' | 'date' | 'boolean' | 'address';

/** One field that criteria may name. */
export interface CriteriaField {
  /** The name in the index; clients may write it in any letter case. */
  readonly name: string;
  readonly type: CriteriaFieldType;
  /** Whether a document may hold several values of it. */
  readonly multi: boolean;
  /** Text only: the index also stores the whole value, in the sub-field `exact`. */
  readonly exact?: boolean;
  /** Whether results can be sorted by it, for a hint about `order by`. */
  readonly sortable?: boolean;
}

/** The closed list of fields of one search, prepared for look-ups. */
export interface CriteriaFields {
  readonly list: readonly CriteriaField[];
  /** Names of fields that only another resource has, with the resource's name: `{country: 'projects'}`. */
  readonly elsewhere: Readonly<Record<string, string>>;
  /** The field of that name in any letter case. */
  find(name: string): CriteriaField | undefined;
}

/** Non-ASCII letters are not equal to their lower case: `\u212a`, the Kelvin sign, is not `k`. */
const ASCII = /^[\x20-\x7e]*$/;

/**
 * Prepares a field list once, so that checking a text is one look-up a name.
 *
 * @param elsewhere fields that exist on another resource only, for a better error
 * @throws {RangeError} when two names differ in letter case alone
 */
export function criteriaFields(
  list: readonly CriteriaField[],
  elsewhere: Readonly<Record<string, string>> = {},
): CriteriaFields {
  const byName = new Map(list.map((field) => [field.name.toLowerCase(), Object.freeze({ ...field })]));
  if (byName.size !== list.length) throw new RangeError('two criteria fields have the same name');
  return Object.freeze({
    list: Object.freeze([...byName.values()]),
    elsewhere: Object.freeze({ ...elsewhere }),
    find: (name: string) => byName.get(name) ?? (ASCII.test(name) ? byName.get(name.toLowerCase()) : undefined),
  });
}
