import { createRequire } from 'node:module';
import { deadLetterTopic, TOPICS, type TopicName } from '@carbon/contracts';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import type { z } from 'zod';
import { textOf } from '../tracked-files.js';
import { asyncapiDocument, asyncapiYaml } from './asyncapi.js';
import type { JsonSchema } from './json-schema.js';

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

/** Formats are left to the patterns, which say the same more strictly. */
const newAjv = () => new Ajv({ strict: false, validateFormats: false, allErrors: true });
const ajv = newAjv().addSchema({ $id: 'file', ...document });
/** Whether a value is what a schema of the document says, wherever that points to. */
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
  it('is what AsyncAPI’s own schema of version 3.0 takes', () => {
    const official = createRequire(import.meta.url)('@asyncapi/specs/schemas/3.0.0-without-$id.json');
    const formats = { uri: URL.canParse, 'uri-reference': true, email: true } as const;
    const validate = new Ajv({ strict: false, logger: false, formats }).compile(official);
    expect(validate(document) || validate.errors).toBe(true);
    const { channels: _, ...broken } = { ...document, operations: { strange: { action: 'shout' } } };
    expect(validate(broken)).toBe(false);
  });

  it('reads back from its file as it is', () => {
    expect(parse(asyncapiYaml(document))).toEqual(JSON.parse(JSON.stringify(document)));
  });

  it('is the same to readers of YAML 1.1, which take a plain time for no text', () => {
    expect(parse(asyncapiYaml(document), { version: '1.1' })).toEqual(JSON.parse(JSON.stringify(document)));
  });

  it('points only to what is there', () => {
    const refs = refsIn(document);
    expect(refs.length).toBeGreaterThan(20);
    expect(refs.filter((ref) => at(ref) === undefined)).toEqual([]);
  });

  it('has every topic and its dead letters, and who sends and receives each', () => {
    const topics = (Object.keys(TOPICS) as TopicName[]).flatMap((name) => [name, deadLetterTopic(name)]);
    expect(Object.keys(document.channels)).toEqual(topics);
    const operations = Object.keys(document.operations);
    for (const name of Object.keys(TOPICS)) {
      for (const action of ['send', 'receive'])
        expect(operations.filter((operation) => operation.endsWith(`.${action}.${name}`))).not.toEqual([]);
    }
    expect(operations).toEqual(
      expect.arrayContaining(['offsets.send.offset.requested.dead-letter', 'catalog.send.asset.published.dead-letter']),
    );
  });

  it('has all golden events for examples, and a withdrawal', () => {
    const payloads = types.flatMap(([type]) => golden(type));
    expect(examples.map(({ example }) => example.payload)).toEqual(expect.arrayContaining([...payloads, null]));
    expect(examples).toHaveLength(payloads.length + 1);
  });

  it.each(examples)('has in $name an example of payload, headers and key that fit', ({ message, example }) => {
    expect(fits(message.payload ?? {}, example.payload)).toBe(true);
    expect(fits(message.headers, example.headers)).toBe(true);
    expect(fits(message.bindings?.kafka.key ?? {}, example.headers.ce_subject)).toBe(true);
  });

  it.each(types)('says of %s with a member gone or wrong what the schema in code says', (type, schema) => {
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
