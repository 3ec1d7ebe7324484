import { createRequire } from 'node:module';
import { TOPICS } from '@carbon/contracts';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import type { z } from 'zod';
import { textOf } from '../tracked-files.js';
import { asyncapiDocument, asyncapiYaml } from './asyncapi.js';
import type { JsonSchema } from './event-types.js';
import { withEventSections } from './page-parts.js';

interface Message {
  readonly payload?: JsonSchema;
  readonly headers: JsonSchema;
  readonly bindings?: { readonly kafka: { readonly key: JsonSchema } };
  readonly examples?: readonly Example[];
}
interface Example {
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly payload: unknown;
}

const golden = (type: string): unknown[] => JSON.parse(textOf(`libs/contracts/golden/${type}.json`));
const document = asyncapiDocument('1.2.3', golden);
const messages = Object.entries(document.components.messages as Readonly<Record<string, Message>>);
const examples = messages.flatMap(([name, message]) =>
  (message.examples ?? []).map((example) => ({ name: example.name, of: name, message, example })),
);
const types = Object.values(TOPICS).flatMap((topic) => Object.entries<z.ZodType>(topic.types));

/** Formats are ignored, because the patterns are stricter. */
const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true }).addSchema({ $id: 'file', ...document });
/** Returns whether a value matches a schema of the document, including its references. */
function fits(schema: JsonSchema, value: unknown): unknown {
  const { $ref } = schema;
  const validate = typeof $ref === 'string' ? ajv.getSchema(`file${$ref}`) : ajv.compile(schema);
  return validate?.(value) === true || validate?.errors;
}

function refsIn(part: unknown): string[] {
  if (typeof part !== 'object' || part === null) return [];
  const own = '$ref' in part && typeof part.$ref === 'string' ? [part.$ref] : [];
  return [...own, ...Object.values(part).flatMap(refsIn)];
}

function at(ref: string): unknown {
  const names = ref.slice(2).split('/');
  return names.reduce<unknown>((part, name) => (part as Record<string, unknown> | undefined)?.[name], document);
}

describe('docs/asyncapi.yaml', () => {
  it('is valid by AsyncAPI’s own schema of version 3.0', () => {
    const official = createRequire(import.meta.url)('@asyncapi/specs/schemas/3.0.0-without-$id.json');
    const formats = { uri: URL.canParse, 'uri-reference': true, email: true } as const;
    const validate = new Ajv({ strict: false, logger: false, formats }).compile(official);
    expect(validate(document) || validate.errors).toBe(true);
    const { channels: _, ...broken } = { ...document, operations: { strange: { action: 'shout' } } };
    expect(validate(broken)).toBe(false);
  });

  it('reads back from its file unchanged, also in YAML 1.1, which does not read a plain time as text', () => {
    for (const version of ['1.1', '1.2'] as const)
      expect(parse(asyncapiYaml(document), { version })).toEqual(JSON.parse(JSON.stringify(document)));
  });

  it('contains only references that resolve', () => {
    const refs = refsIn(document);
    expect(refs.length).toBeGreaterThan(20);
    expect(refs.filter((ref) => at(ref) === undefined)).toEqual([]);
  });

  it('has all golden events for examples, and a withdrawal', () => {
    const payloads = types.flatMap(([type]) => golden(type));
    expect(examples.map(({ example }) => example.payload)).toEqual(expect.arrayContaining([...payloads, null]));
    expect(examples).toHaveLength(payloads.length + 1);
  });

  it('is not generated while an event type has no example, or an example lacks the time of its event', () => {
    const documentOf = (change: (type: string) => unknown[] | undefined) => () => asyncapiDocument('1.2.3', change);
    const without = (type: string) => (type === 'offset.failed.v1' ? undefined : golden(type));
    expect(documentOf(without)).toThrow(
      'offset.failed.v1 has no example: write libs/contracts/golden/offset.failed.v1.json',
    );
    const untimed = (type: string) => (type === 'offset.failed.v1' ? [{ id: 'off_1' }] : golden(type));
    expect(documentOf(untimed)).toThrow('an example of offset.failed.v1 has no failedAt, the time of its event');
  });

  it('has examples of payload, headers and key that match their schemas', () => {
    const found = examples.map(({ name, message, example }) => [
      name,
      fits(message.payload ?? {}, example.payload),
      fits(message.headers, example.headers),
      fits(message.bindings?.kafka.key ?? {}, example.headers.ce_subject),
    ]);
    expect(found).toEqual(examples.map(({ name }) => [name, true, true, true]));
  });

  it.each(types)('reports %s with a missing or wrong member as the schema in code does', (type, schema) => {
    const ref = { $ref: `#/components/schemas/${type}` };
    for (const event of golden(type)) {
      for (const name of Object.keys(Object(event))) {
        const { [name]: _, ...without } = Object(event);
        for (const changed of [without, ...[null, '', 0, true, {}].map((wrong) => ({ ...without, [name]: wrong }))])
          expect([changed, fits(ref, changed) === true]).toEqual([changed, schema.safeParse(changed).success]);
      }
    }
  });
});

describe('docs/events.md', () => {
  it('gets a section for a topic and for a type without one', () => {
    const page = textOf('docs/events.md');
    const failed = page.slice(page.indexOf('## offset.failed\n'), page.indexOf('## asset.published\n'));
    const grown = withEventSections(page.replace(failed, ''));
    expect(grown).toContain('## offset.failed\n\n<!-- offset.failed: generated by');
    expect(grown.indexOf('### offset.failed.v1\n')).toBeLessThan(grown.indexOf('## asset.published\n'));
    expect(grown.indexOf('## offset.failed\n')).toBeGreaterThan(grown.indexOf('### offset.completed.v1\n'));
    expect(withEventSections(page)).toBe(page);
  });
});
