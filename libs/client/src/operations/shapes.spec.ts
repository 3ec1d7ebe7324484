import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Shape } from '../shape.js';
import { COMPLETED, ESTIMATE, FAILED, LIBRARY_SCHEMA, QUEUED, RECEIPT, RECORDED } from './shapes.js';

/** As much of JSON Schema as the description of the API needs here. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly const?: unknown;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

const DOCUMENT = resolve(import.meta.dirname, '../../../../docs/openapi.json');
const { components }: { components: { schemas: Record<string, Schema> } } = JSON.parse(readFileSync(DOCUMENT, 'utf8'));

const schemaOf = (name: string): Schema => components.schemas[name] ?? {};
const resolved = (schema: Schema = {}): Schema =>
  schema.$ref ? schemaOf(schema.$ref.split('/').at(-1) ?? '') : schema;

/** What the description says must be there, in the words of a shape. */
function shapeOf(schema: Schema, promised: readonly string[] = []): Shape {
  const { required = [], properties = {} } = schema;
  return Object.fromEntries([...required, ...promised].map((name) => [name, kindOf(resolved(properties[name]))]));
}

function kindOf(schema: Schema): Shape[string] {
  if (schema.const !== undefined) return [String(schema.const)];
  if (schema.type === 'object') return shapeOf(schema);
  if (schema.type !== 'array') return schema.type === 'integer' ? 'number' : (schema.type as 'string');
  const item = resolved(schema.items);
  return item.type === 'object' ? { each: shapeOf(item) } : 'array';
}

describe('what the client looks for in an answer', () => {
  it.each([
    ['a recorded offset', RECORDED, shapeOf(schemaOf('Offset'))],
    ['a completed one', COMPLETED, shapeOf(schemaOf('Offset'), ['cost', 'currency', 'completedAt'])],
    ['a failed one', FAILED, shapeOf(schemaOf('Offset'), ['failure', 'failedAt'])],
    ['one that is not recorded yet', QUEUED, shapeOf(schemaOf('QueuedOffset'))],
    ['an estimate', ESTIMATE, shapeOf(schemaOf('Estimate'))],
    ['a receipt', RECEIPT, shapeOf(schemaOf('Receipt'))],
    ['the schema of the library', LIBRARY_SCHEMA, shapeOf(schemaOf('LibrarySchema'))],
  ])('is all that the description of the API promises of %s', (_, shape, promised) => {
    expect(shape).toEqual(promised);
  });
});
