/** The parts of an OpenAPI document that answers are held against. */
export interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly responses: Responses }>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** An answer that is described. */
export interface Response {
  readonly headers?: Readonly<Record<string, { readonly $ref: string }>>;
  readonly content?: Readonly<Record<string, unknown>>;
}

type Responses = Readonly<Record<string, Response | { readonly $ref: string }>>;

/** An operation and where it stands in the document. */
export interface Operation {
  readonly name: string;
  readonly pointer: string;
  readonly responses: Responses;
}

const escaped = (step: string) => step.replaceAll('~', '~0').replaceAll('/', '~1');

/** The operation that serves a method at a path; a path's others stand for those it does not have, which answer 405. */
export function operationAt({ paths }: Described, method: string, path: string): Operation | undefined {
  const template = Object.keys(paths).find((one) => matches(one, path));
  if (template === undefined) return undefined;
  const methods = paths[template] ?? {};
  const own = method === 'HEAD' ? 'get' : method.toLowerCase();
  const served = own in methods ? own : (Object.keys(methods)[0] ?? '');
  const responses = methods[served]?.responses ?? {};
  const told =
    own in methods ? responses : Object.fromEntries(Object.entries(responses).filter(([status]) => status >= '400'));
  return { name: `${method} ${template}`, pointer: `/paths/${escaped(template)}/${served}`, responses: told };
}

function matches(template: string, path: string): boolean {
  const [steps, given] = [template.split('/'), path.split('/')];
  return steps.length === given.length && steps.every((step, at) => step === given[at] || isOpen(step, given[at]));
}

function isOpen(step: string, given: string | undefined): boolean {
  return step.startsWith('{') && given !== '';
}

/** The described answer with a status, and where it stands. */
export function responseOf(
  { components }: Described,
  { pointer, responses }: Operation,
  status: number,
): { readonly pointer: string; readonly value: Response } | undefined {
  const found = responses[status];
  if (found === undefined) return undefined;
  if (!('$ref' in found)) return { pointer: `${pointer}/responses/${status}`, value: found };
  const name = found.$ref.split('/').at(-1) ?? '';
  return { pointer: `/components/responses/${name}`, value: components.responses?.[name] as Response };
}
