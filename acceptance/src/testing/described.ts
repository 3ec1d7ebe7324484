import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { frozen } from '../checkout.js';

type Content = Readonly<Record<string, { readonly schema: object }>>;
type Response = { readonly $ref: string } | { readonly content?: Content };
type Operations = Readonly<Record<string, { readonly responses: Readonly<Record<string, Response>> }>>;
interface OpenApi {
  readonly paths: Readonly<Record<string, Operations>>;
  readonly components: { readonly responses: Readonly<Record<string, { readonly content?: Content }>> };
}

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
const OPENAPI = frozen('openapi.json') as OpenApi;
ajv.addSchema(OPENAPI, 'openapi:').addSchema(frozen('asyncapi.json') as object, 'asyncapi:');

const compiled = new Map<string, ValidateFunction>();

function errorsAt(pointer: string, value: unknown): string[] {
  const validate = compiled.get(pointer) ?? ajv.compile({ $ref: pointer });
  compiled.set(pointer, validate);
  return validate(value) ? [] : (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
}

const escaped = (step: string) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'));

/** Returns how a response of the gateway differs from the frozen description. */
export function responseErrors(method: string, path: string, status: number, type: string, body: unknown): string[] {
  const [template, operations] =
    Object.entries(OPENAPI.paths).find(([one]) => RegExp(`^${one.replace(/\{\w+\}/, '[^/]+')}$`).test(path)) ?? [];
  const verb = method === 'HEAD' ? 'get' : method.toLowerCase();
  const served = operations && (verb in operations ? verb : Object.keys(operations)[0]);
  if (template === undefined || served === undefined || method === 'OPTIONS') return [];
  const response = operations?.[served]?.responses[status];
  if (response === undefined) return [`${status} is not a described status of ${method} ${template}`];
  const name = '$ref' in response ? (response.$ref.split('/').at(-1) ?? '') : undefined;
  const { content = {} } =
    name === undefined ? (response as { content?: Content }) : (OPENAPI.components.responses[name] ?? {});
  if (method === 'HEAD' || !type.endsWith('json')) return [];
  if (!(type in content)) return [`${type} is not a described type of ${status} of ${method} ${template}`];
  const above =
    name === undefined ? `paths/${escaped(template)}/${served}/responses/${status}` : `components/responses/${name}`;
  return errorsAt(`openapi:#/${above}/content/${escaped(type)}/schema`, body);
}

/** Returns how a message differs from the frozen description. @param name of the message in that description */
export function messageErrors(name: string, headers: object, payload?: unknown): string[] {
  const errors = errorsAt(`asyncapi:#/components/messages/${name}/headers`, headers);
  return payload === undefined ? errors : [...errors, ...errorsAt(`asyncapi:#/components/schemas/${name}`, payload)];
}
