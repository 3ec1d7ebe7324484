import { stringify } from 'yaml';
import { channels } from './channels.js';
import { eventTypesOf, TOPIC_LIST } from './event-types.js';
import { type Golden, messages } from './messages.js';
import { operations } from './operations.js';

const ABOUT = [
  "Events are CloudEvents 1.0 in Kafka's binary mode: the data alone is the value, everything about it is in headers.",
  'A setting (TOPIC_PREFIX) may put a prefix before the names of all topics.',
  'Delivery is at least once; readers must bear members, types, headers and codes that they do not know.',
  'events.md, beside this file, says how they are read.',
].join(' ');

/** Where `npm start` lets Kafka listen when nobody says otherwise. */
const LOCAL_BROKER = '127.0.0.1:29092';

/** All topics of the system as an AsyncAPI 3.0 document: settings, messages with golden examples, who sends and receives. */
export function asyncapiDocument(version: string, golden: Golden) {
  const schemas = TOPIC_LIST.flatMap(({ name }) => eventTypesOf(name)).map(({ type, data }) => [type, data]);
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Carbon offsets: events',
      version,
      description: ABOUT,
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    defaultContentType: 'application/json',
    servers: {
      local: {
        host: LOCAL_BROKER,
        protocol: 'kafka',
        description: 'What `npm start` runs; elsewhere KAFKA_BROKERS says.',
      },
    },
    channels: channels(),
    operations: operations(),
    components: { messages: messages(golden), schemas: Object.fromEntries(schemas) },
  };
}

/** The document as the text of a file. Readers of YAML 1.1 would take a plain time for something else than text. */
export function asyncapiYaml(document: object): string {
  const note = ' Made by `npm run generate` from libs/contracts.';
  return `#${note}\n${stringify(document, { lineWidth: 120, aliasDuplicateObjects: false, compat: 'yaml-1.1' })}`;
}
