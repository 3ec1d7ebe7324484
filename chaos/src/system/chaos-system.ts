import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { kafkaSettings, loadConfig } from '@carbon/config';
import { WitnessRegistry } from '@carbon/e2e/witness-registry';
import { CHECKOUT, type Command, type SupervisedPart, withPostgres } from '@carbon/local';
import { createKafka, type KafkaHandle, kafkaConnection } from '@carbon/messaging';
import type { QueryResultRow } from 'pg';
import { z } from 'zod';
import { type Apps, instances, startApps } from './apps.js';
import type { Clocks } from './clocks.js';
import type { Engines } from './engines.js';
import type { Shape } from './shape.js';

const REGISTRY_ANSWERS_AFTER_MS = 20;
const ROWS_TIMEOUT_MS = 60_000;
const COMMAND_TIMEOUT_MS = 120_000;
const CARBON = join(CHECKOUT, 'tools/carbon/dist/carbon.js');
const run = promisify(execFile);

/** The kinds of processes. */
export const KINDS = ['gateway', 'offsets', 'catalog', 'kafka', 'opensearch', 'postgres'] as const;
export type Kind = (typeof KINDS)[number];

/** A period, in ms of `performance.now()`, in which the judge tolerates one kind of finding. */
export interface Allowance {
  /**
   * `changed`: an outcome may change later. `missing`: a search may not find a published asset. `refused`: an offset
   * that was recorded then may have failed because of the supply.
   */
  readonly kind: 'changed' | 'missing' | 'refused';
  readonly from: number;
  readonly until: number;
}

/** The options of a system. */
export interface ChaosSystemOptions {
  readonly dir: string;
  readonly engines: Engines;
  readonly clocks: Clocks;
  readonly shape: Shape;
  readonly name: string;
  readonly adapt?: (command: Command) => Command;
}

/** A system under test: apps on engines, with a proxy in each connection to an engine. */
export class ChaosSystem {
  /** The allowed periods of the faults. */
  private readonly allowances: Allowance[] = [];

  private constructor(
    readonly engines: Engines,
    readonly clocks: Clocks,
    readonly apps: Apps,
    readonly shape: Shape,
    readonly name: string,
    /** The external registry, if the shape has one: a second record of the retirements. */
    readonly registry: WitnessRegistry | undefined,
  ) {}

  static async start({ shape, engines, name, ...options }: ChaosSystemOptions): Promise<ChaosSystem> {
    await withPostgres(engines.postgres.url, (sql) => sql.query(`CREATE DATABASE ${name}`));
    const registry = shape.registry ? new WitnessRegistry(REGISTRY_ANSWERS_AFTER_MS) : undefined;
    try {
      const offsetsSettings: Record<string, string> = registry ? { REGISTRY_URL: await registry.start() } : {};
      const apps = await startApps({ ...options, shape, engines, name, offsetsSettings });
      return new ChaosSystem(engines, options.clocks, apps, shape, name, registry);
    } catch (error) {
      await registry?.stop();
      throw error;
    }
  }

  /** Returns every process of a kind. */
  parts(kind: Kind): readonly SupervisedPart[] {
    if (kind === 'kafka') return this.engines.brokers;
    if (kind === 'opensearch') return this.engines.searchNodes;
    if (kind === 'postgres') return [this.engines.postgres.part];
    const count = { gateway: this.shape.gateways, offsets: this.shape.offsets, catalog: this.shape.catalogs }[kind];
    return instances(kind, count).map((name) => this.apps.running.part(name));
  }

  /** The system's Kafka, with its topics and groups by their plain names. */
  get kafka(): KafkaHandle {
    const settings = loadConfig(z.object(kafkaSettings), this.apps.running.environment);
    return createKafka({ ...kafkaConnection(settings), clientId: 'chaos' });
  }

  /** Queries the system's database directly, not through the proxy. */
  rows<Row extends QueryResultRow>(statement: string, values: unknown[] = []): Promise<Row[]> {
    const url = new URL(this.engines.postgres.url);
    url.pathname = `/${this.name}`;
    return withPostgres(url.href, async (sql) => (await sql.query<Row>(statement, values)).rows, {
      query_timeout: ROWS_TIMEOUT_MS,
    });
  }

  /** Runs a command of the checkout, such as `topics`. Rejects when it fails. @param settings additional ones */
  async command(args: readonly string[], settings: Readonly<Record<string, string>> = {}): Promise<string> {
    const env = { ...this.apps.running.environment, PATH: '/usr/bin:/bin', ...settings };
    const options = { env, timeout: COMMAND_TIMEOUT_MS, maxBuffer: 64 * 1024 * 1024 };
    return (await run(process.execPath, [CARBON, ...args], options)).stdout;
  }

  /** Tolerates one kind of finding from `from` until now. */
  allow(kind: Allowance['kind'], from: number): void {
    this.allowances.push({ kind, from, until: performance.now() });
  }

  /** Returns whether a finding of this kind is tolerated at a time, in ms of `performance.now()`. */
  isAllowed(kind: Allowance['kind'], at: number): boolean {
    return this.allowances.some(
      (allowance) => allowance.kind === kind && at >= allowance.from && at <= allowance.until,
    );
  }

  /** Stops the apps, so that nothing is decided or published any more. The engines still run. */
  async stop(): Promise<void> {
    await this.apps.stop();
    await this.registry?.stop();
  }
}
