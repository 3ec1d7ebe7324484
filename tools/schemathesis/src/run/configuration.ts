import type { Identity } from '../target/target.js';
import type { KnownThings } from './known-things.js';

/** Answers of every operation come within this; a POST within 5.5 s, by what docs/offsets.md promises. */
const SLOWEST_S = 6;
/** What is wrong may be refused with; its own list leaves out what is too long. */
const REFUSALS = [400, 401, 403, 404, 405, 406, 409, 413, 414, 415, 422, 429, 431];
/** How often a known thing is named where one can be. */
const OFTEN = 0.5;

/** Where the run's files are, who calls, and what is there to be named. */
export interface RunFacts {
  readonly checksFile: string;
  readonly identitiesFile: string;
  readonly identities: readonly Identity[];
  readonly known: KnownThings;
}

/** Which parameter of which operation names which known thing. */
const NAMES = [
  { operation: 'readOffsets', parameter: 'query.id', thing: 'offset' },
  { operation: 'getRetirements', parameter: 'query.offset', thing: 'offset' },
  { operation: 'getEstimate', parameter: 'query.id', thing: 'estimate' },
  { operation: 'createOffset', parameter: 'body.estimateId', thing: 'estimate' },
  { operation: 'createEstimate', parameter: 'body.asset', thing: 'asset' },
] as const satisfies readonly { readonly thing: keyof KnownThings; readonly [name: string]: string }[];

/** schemathesis.toml: what cannot be said on its command line, or is no choice. */
export function configuration({ checksFile, identitiesFile, identities, known }: RunFacts): string {
  return `${[
    `hooks = ${quoted(checksFile)}`,
    'max-redirects = 0',
    'request-timeout = 20',
    'continue-on-failure = true',
    '[cache]',
    'enabled = false',
    '[generation]',
    'database = "none"',
    '[checks]',
    `max_response_time = ${SLOWEST_S}`,
    '[checks.negative_data_rejection]',
    `expected-statuses = ${JSON.stringify(REFUSALS)}`,
    '[dictionaries]',
    ...Object.entries(known).map(([thing, id]) => `${thing} = { values = [${quoted(id)}] }`),
    ...NAMES.flatMap(({ operation, parameter, thing }) => [
      '[[operations]]',
      `include-operation-id = ${quoted(operation)}`,
      `parameters = { ${quoted(parameter)} = { dictionary = ${quoted(thing)}, probability = ${OFTEN} } }`,
    ]),
    ...callers(identities, identitiesFile),
  ].join('\n')}\n`;
}

function callers(identities: readonly Identity[], file: string): string[] {
  const names = identities.map(({ name }) => name);
  const [first] = names;
  if (first === undefined) return [];
  const alone = ['[auth.wfc]', `path = ${quoted(file)}`, `user = ${quoted(first)}`];
  return names.length === 1 ? alone : [...alone, `peers = ${JSON.stringify(names)}`];
}

/** A string of JSON is one of TOML. */
function quoted(text: string): string {
  return JSON.stringify(text);
}

/** Who calls, as the Web Fuzzing Commons write it down: each with the header that bears the key. */
export function identitiesDocument(identities: readonly Identity[]): string {
  const auth = identities.map(({ name, key }) => ({
    name,
    fixedHeaders: [{ name: 'Authorization', value: `Bearer ${key}` }],
  }));
  return JSON.stringify({ auth });
}
