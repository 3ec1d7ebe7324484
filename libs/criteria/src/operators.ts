import type { CriteriaField, CriteriaFieldType } from './fields.js';

/** The type of a field; `words` is text of which the index stores only the words. */
type FieldKind = CriteriaFieldType | 'words';

/** One operator of the language. */
interface OperatorDefinition {
  /** Its spellings; letters in any case. The first spelling is not preferred to the others. */
  readonly spellings: readonly string[];
  /**
   * Its operands: an operand or a group of them; one value; one pattern, where `*` and `?` are wildcards in quotes too;
   * a list; two bounds; or none.
   */
  readonly takes: 'operand' | 'value' | 'pattern' | 'list' | 'bounds' | 'nothing';
  /** How it compares text with an operand: by words, or as a whole. */
  readonly form?: 'words' | 'whole';
  /** Whether it selects the complement. */
  readonly negated?: boolean;
  /** Whether `not` may precede it. */
  readonly negatable?: boolean;
  /** The types of fields that accept it. */
  readonly on: readonly FieldKind[];
}

const ORDERED = ['number', 'integer', 'date'] as const;
const TEXTUAL = ['keyword', 'text', 'address'] as const;
const WHOLE = [...TEXTUAL, ...ORDERED, 'boolean'] as const;
const ANY = [...WHOLE, 'words'] as const;

/** The operators, in the order in which clients see them. CONTRIBUTING.md lists what a new operator needs. */
export const OPERATORS = {
  ':': { spellings: [':'], takes: 'operand', form: 'words', on: ANY },
  '=': { spellings: ['=', '==', ':=', 'eq'], takes: 'operand', form: 'whole', on: WHOLE },
  '!=': { spellings: ['!=', '<>', ':!=', 'ne'], takes: 'operand', form: 'whole', negated: true, on: WHOLE },
  '>': { spellings: ['>', ':>', 'gt'], takes: 'value', on: ORDERED },
  '>=': { spellings: ['>=', ':>=', 'ge', 'gte'], takes: 'value', on: ORDERED },
  '<': { spellings: ['<', ':<', 'lt'], takes: 'value', on: ORDERED },
  '<=': { spellings: ['<=', ':<=', 'le', 'lte'], takes: 'value', on: ORDERED },
  /** The range `a..b` is an operand; clients see it as an operator. */
  '..': { spellings: [], takes: 'operand', on: ORDERED },
  between: { spellings: ['between'], takes: 'bounds', negatable: true, on: ORDERED },
  in: { spellings: ['in'], takes: 'list', negatable: true, on: WHOLE },
  like: { spellings: ['like'], takes: 'pattern', negatable: true, on: TEXTUAL },
  exists: { spellings: ['exists'], takes: 'nothing', negatable: true, on: ANY },
} as const satisfies Readonly<Record<string, OperatorDefinition>>;

/** The name of an operator; `..` is the range `a..b` after `:`. */
export type CriteriaOperator = keyof typeof OPERATORS;

/** The operators that take one value or pattern. */
export type ValueOperator = {
  [Name in CriteriaOperator]: (typeof OPERATORS)[Name]['takes'] extends 'value' | 'pattern' ? Name : never;
}[CriteriaOperator];

/** The comparison operators. */
export type Relation = '>' | '>=' | '<' | '<=';

/** The names of the operators, in the order in which clients see them. */
export const CRITERIA_OPERATORS = Object.keys(OPERATORS) as readonly CriteriaOperator[];

const isWord = (spelling: string) => /^[a-z]/i.test(spelling);

/** The names of the operators that are words, such as `between`. */
export const OPERATOR_WORDS: readonly CriteriaOperator[] = CRITERIA_OPERATORS.filter(isWord);

/** Returns the operators that a field takes. */
export function operatorsOf({ type, exact = false }: CriteriaField): readonly CriteriaOperator[] {
  const kind: FieldKind = type === 'text' && !exact ? 'words' : type;
  return CRITERIA_OPERATORS.filter((name) => (OPERATORS[name].on as readonly FieldKind[]).includes(kind));
}

/** What the parser knows about a spelling. */
export type Operation = { readonly negated: boolean; readonly form: 'words' | 'whole' } & (
  | { readonly takes: 'operand' | 'list' | 'bounds' | 'nothing' }
  | { readonly takes: 'value' | 'pattern'; readonly name: ValueOperator }
);

function operationOf(name: CriteriaOperator, isNegated = false): Operation {
  const { takes, form = 'whole', negated = false }: OperatorDefinition = OPERATORS[name];
  return { name, takes, form, negated: negated || isNegated } as Operation;
}

const ROWS = Object.entries(OPERATORS) as readonly (readonly [CriteriaOperator, OperatorDefinition])[];
const spelled = ROWS.flatMap(([name, { spellings }]) =>
  spellings.map((spelling) => [spelling.toLowerCase(), operationOf(name)] as const),
);

/** `field exists` and `field is not null`. */
export const PRESENT: Operation = operationOf('exists');
/** `field not exists` and `field is null`. */
export const ABSENT: Operation = operationOf('exists', true);

/** The operations by spelling, of operators that are made of letters. */
export const WORD_OPERATORS: ReadonlyMap<string, Operation> = new Map(spelled.filter(([text]) => isWord(text)));

/** The operations of operators that follow `not`. */
export const NEGATED_OPERATORS: ReadonlyMap<string, Operation> = new Map(
  ROWS.filter(([, row]) => row.negatable).flatMap(([name, { spellings }]) =>
    spellings.map((spelling) => [spelling.toLowerCase(), operationOf(name, true)] as const),
  ),
);

/** The operations by spelling, of operators that consist of symbols. */
export const SIGN_OPERATORS: ReadonlyMap<string, Operation> = new Map(spelled.filter(([text]) => !isWord(text)));

/** The length of the longest operator that consists of symbols. */
export const MAX_SIGN_LENGTH: number = Math.max(...[...SIGN_OPERATORS.keys()].map((text) => text.length));

/** `:`, after which a comparison may follow after white space. */
export const COLON: Operation | undefined = SIGN_OPERATORS.get(':');
