import { loadConfig } from '@carbon/config';
import { eventually } from '@carbon/testing';
import { z } from 'zod';
import type { CreditRetirer } from '../fulfillment/retire.js';
import { Worker } from '../fulfillment/worker.js';
import { HttpRegistry } from '../registry/http-registry.js';
import { registrySettings } from '../registry/registry.config.js';
import { TestDatabase } from './database.js';
import { pool } from './events.js';
import { auditOf } from './ledger.js';
import { type Waits } from './open-database.js';
import { TestRegistry } from './registry.js';

/** The timeout of a call to the registry. */
export const TIMEOUT_MS = 1_000;

/** The bearer token of the registry. */
export const TOKEN = 'a-token-of-sixteen';

const ENVIRONMENT = {
  REGISTRY_TOKEN: TOKEN,
  REGISTRY_CONCURRENCY: '4',
  REGISTRY_CONNECT_TIMEOUT_MS: '1000',
  REGISTRY_TIMEOUT_MS: String(TIMEOUT_MS),
  REGISTRY_RETRY_MIN_MS: '20',
  REGISTRY_RETRY_MAX_MS: '1000',
  REGISTRY_BREAKER_MIN_MS: '20',
  REGISTRY_BREAKER_MAX_MS: '100',
};

/** Returns a client of a registry, with short timeouts. */
export function createRegistryClient(registry: Pick<TestRegistry, 'url'>): HttpRegistry {
  return new HttpRegistry(registry.url, loadConfig(z.object(registrySettings), ENVIRONMENT));
}

/** A database with the service that retires on it, and a real registry that it calls. */
export class RegistryBench {
  readonly client: HttpRegistry;
  readonly step: CreditRetirer;
  readonly worker: Worker;

  private constructor(
    readonly test: TestDatabase,
    readonly registry: TestRegistry,
  ) {
    this.client = createRegistryClient(registry);
    this.step = test.retiring(this.client);
    this.worker = new Worker('retire', () => this.step.run(), test.signals.reserved, 20);
  }

  /** One asset with one credit at 5 dollars, and one with plenty at 20. */
  static async create(waits: Waits = {}): Promise<RegistryBench> {
    const test = await TestDatabase.create(waits);
    await test.recordAssets([pool('a', { price: 5, issued: 1 }), pool('b', { price: 20 })]);
    return new RegistryBench(test, await TestRegistry.start());
  }

  /** Reserves credits for offsets of these weights, like the service; returns their ids. */
  async reserve(...kilograms: number[]): Promise<string[]> {
    const ids = await this.test.queue(...kilograms);
    await this.test.reserveCredits.run();
    return ids;
  }

  /** The same, and then retires them. */
  async begin(...kilograms: number[]): Promise<string[]> {
    const ids = await this.reserve(...kilograms);
    this.worker.start();
    return ids;
  }

  /** Waits until there are this many offsets in each state. */
  async settled(counts: Record<string, number>): Promise<void> {
    await eventually(async () => expect(await this.test.counts()).toEqual(counts), { within: 120_000 });
  }

  /** Expects that every gram is accounted for, and no asset is oversold. */
  async expectAudit(): Promise<void> {
    expect(await auditOf(this.test.url)).toEqual({ violations: [], warnings: [] });
  }

  /** Expects that the registry's ledger contains these offsets once each, and no other. */
  expectAppliedOnce(ids: readonly string[]): void {
    expect(this.registry.ledger.map(({ offset }) => offset).sort()).toEqual([...ids].sort());
  }

  /** Returns the methods of the calls about an offset, oldest first. */
  methodsAbout(id: string): string[] {
    return this.registry.callsAbout(id).map(({ method }) => method);
  }

  async close(): Promise<void> {
    await this.worker.stop();
    await this.step.stop();
    await this.client.onApplicationShutdown();
    await this.registry.stop();
    await this.test.close();
  }
}
