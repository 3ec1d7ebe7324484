import { POOL_FIELDS, PROJECT_FIELDS } from '../generated/asset-fields.js';
import type { Criteria } from './criteria.js';
import { Field } from './field.js';

type Presence = 'exists' | 'missing';
type Equality = 'eq' | 'ne' | Presence;
type Membership = Equality | 'in' | 'notIn';
type Order = Membership | 'gt' | 'gte' | 'lt' | 'lte' | 'between' | 'range';
type Patterns = 'like' | 'startsWith' | 'endsWith' | 'contains';
type Words = 'words' | 'wordLike' | Presence;

/** What each type of field takes. */
interface FieldTypes<Of extends string> {
  readonly keyword: Pick<Field<Of, string>, Membership | Patterns>;
  readonly text: Pick<Field<Of, string>, Membership | Patterns | Words>;
  readonly words: Pick<Field<Of, string>, Words>;
  readonly address: Pick<Field<Of, string>, Membership | 'startsWith'>;
  readonly boolean: Pick<Field<Of, boolean>, Equality>;
  readonly number: Pick<Field<Of, number>, Order>;
  readonly integer: Pick<Field<Of, number>, Order>;
  readonly date: Pick<Field<Of, string | Date>, Order>;
}

/** The fields of one kind of asset, each with the conditions that its type takes. */
export type Fields<Of extends string, Types extends Readonly<Record<string, keyof FieldTypes<Of>>>> = {
  readonly [Name in keyof Types]: FieldTypes<Of>[Types[Name]];
};

/** The fields of pools. */
export type PoolFields = Fields<'pools', typeof POOL_FIELDS>;
/** The fields of projects. */
export type ProjectFields = Fields<'projects', typeof PROJECT_FIELDS>;

const pools = fieldsOf<PoolFields>(POOL_FIELDS);
const projects = fieldsOf<ProjectFields>(PROJECT_FIELDS);

/**
 * Criteria of fields and values, in which no value can be taken for anything else.
 *
 * @example
 * const criteria = where.pools(({ source, rating, ticker }) =>
 *   and(source.eq('TOUCAN'), rating.gte(2.5), not(ticker.in(['CHAR', 'NCT']))),
 * );
 */
export const where = {
  /** Criteria for `carbon.pools`. */
  pools: (build: (fields: PoolFields) => Criteria<'pools'>): Criteria<'pools'> => build(pools),
  /** Criteria for `carbon.projects`. */
  projects: (build: (fields: ProjectFields) => Criteria<'projects'>): Criteria<'projects'> => build(projects),
} as const;

/** One field for each name; which of its methods a type takes, only the compiler knows. */
function fieldsOf<F>(types: Readonly<Record<keyof F & string, string>>): F {
  return Object.fromEntries(Object.keys(types).map((name) => [name, new Field(name)])) as F;
}
