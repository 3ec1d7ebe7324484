import { z } from 'zod';

/** A schema as plain data. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * A schema as JSON Schema draft 07, which is what AsyncAPI 3.0 takes. Of what is read rather than what comes of it, so that it
 * lets in members that it does not know, as readers must.
 */
export function jsonSchema(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...plain } = z.toJSONSchema(schema, { target: 'draft-07', io: 'input' });
  return plain;
}

/** An object's schema with descriptions for those members that have none. */
export function described(schema: JsonSchema, about: Readonly<Record<string, { readonly description: string }>>) {
  const members = Object.entries(membersOf(schema)).map(([name, member]) => [name, { ...about[name], ...member }]);
  return { ...schema, properties: Object.fromEntries(members) };
}

/** The members of an object's schema, by name. */
export function membersOf(schema: JsonSchema): Readonly<Record<string, JsonSchema>> {
  return (schema.properties ?? {}) as Readonly<Record<string, JsonSchema>>;
}
