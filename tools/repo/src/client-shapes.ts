/** The parts of a JSON schema that make a shape. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly const?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

interface Response {
  readonly content?: { readonly 'application/json'?: { readonly schema: Schema } };
}

/** The parts of the API description that make shapes. */
interface Description {
  readonly paths: Readonly<Record<string, Record<string, { readonly responses: Readonly<Record<string, Response>> }>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const HEAD = `// Made by \`npm run generate\` from docs/openapi.json: the required members of each response.
import type { Shape } from '../response.js';
`;

/** The required members of every object that a successful response of \`/v1\` may hold. @param api the description, as JSON */
export function responseShapes(api: string): string {
  const { paths, components }: Description = JSON.parse(api);
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    path.startsWith('/v1/') ? Object.values(methods) : [],
  );
  const responses = operations.flatMap(({ responses }) =>
    Object.entries(responses).flatMap(([status, response]) => (status.startsWith('2') ? response : [])),
  );
  const schemas = responses.flatMap(({ content }) => content?.['application/json']?.schema ?? []);
  const names = new Set(schemas.flatMap((schema) => objectsOf(schema)));
  const shapes = [...names].flatMap((name) => {
    const shape = shapeOf(components.schemas[name] ?? {}, components.schemas);
    return shape === '{}' ? [] : `export const ${constantOf(name)}: Shape = ${shape};\n`;
  });
  return [HEAD, ...shapes].join('\n');
}

/** Returns the names of the objects that a schema names. */
function objectsOf({ $ref, items, anyOf = [] }: Schema): string[] {
  const names = [...anyOf, ...(items ? [items] : [])].flatMap(objectsOf);
  return $ref === undefined ? names : [nameOf($ref), ...names];
}

function nameOf(ref: string): string {
  return ref.slice(ref.lastIndexOf('/') + 1);
}

/** `QueuedOffset` is `QUEUED_OFFSET`. */
function constantOf(name: string): string {
  return name.replaceAll(/(?<!^)[A-Z]/g, '_$&').toUpperCase();
}

function shapeOf({ required = [], properties = {} }: Schema, schemas: Description['components']['schemas']): string {
  const resolved = (schema: Schema = {}): Schema => (schema.$ref ? (schemas[nameOf(schema.$ref)] ?? {}) : schema);
  const kindOf = (schema: Schema): string => {
    if (schema.const !== undefined) return `['${schema.const}']`;
    if (schema.type === 'object') return shapeOf(schema, schemas);
    if (schema.type !== 'array') return `'${schema.type === 'integer' ? 'number' : schema.type}'`;
    const item = resolved(schema.items);
    return item.type === 'object' ? `{ each: ${shapeOf(item, schemas)} }` : `'array'`;
  };
  const members = required.map((name) => `${name}: ${kindOf(resolved(properties[name]))}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}
