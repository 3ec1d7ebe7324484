import { writeFileSync } from 'node:fs';
import { DEFAULT_PLAN, type KeyFile, writeKeyFile } from '@carbon/keys';
import { type Answer, ask } from '../../test-client.js';
import { startReader, type TestGateway } from '../../test-gateway.js';
import { type TestKey, TestKeyFile, testKey } from '../../test-keys.js';
import { says, startUpstream } from '../../test-upstream.js';
import type { Limit } from './bucket.js';

/** A question that anybody may ask, to an app that answers at once. */
export const SEARCH = '/v1/assets/pools?criteria=&fullTextSearch=';

/** The key file of a test: plans by name, and a key of each. */
export class TestPlans {
  private readonly file = new TestKeyFile();
  private readonly keys = new Map<string, TestKey>();

  constructor(plans: Readonly<Record<string, Limit>>) {
    for (const plan of [...Object.keys(plans), DEFAULT_PLAN.name, 'unlimited'])
      this.keys.set(plan, testKey(plan, { plan }));
    const file: KeyFile = { version: 1, plans: { ...plans }, keys: [...this.keys.values()].map(({ entry }) => entry) };
    writeFileSync(this.path, writeKeyFile(file));
  }

  get path(): string {
    return this.file.path;
  }

  /** The key of a plan. */
  of(plan: string): TestKey {
    const key = this.keys.get(plan);
    if (key === undefined) throw new Error(`no key of the plan ${plan}`);
    return key;
  }

  remove(): void {
    this.file.remove();
  }
}

/** Gateways with these plans before an app that answers at once, and what a test asks them. */
export interface LimitedGateways {
  readonly gateways: readonly TestGateway[];
  readonly plans: TestPlans;
  close(): Promise<void>;
}

/** Starts so many. A bucket begins with a quarter of its burst. */
export async function startLimited(
  plans: Readonly<Record<string, Limit>>,
  settings: Readonly<Record<string, string>> = {},
  count = 1,
): Promise<LimitedGateways> {
  const held = new TestPlans(plans);
  const catalog = await startUpstream(says(200, 'application/json; charset=utf-8', '[]'));
  const all = { API_KEYS_FILE: held.path, CATALOG_URL: catalog.url, ...settings };
  const gateways = await Promise.all(Array.from({ length: count }, () => startReader(all)));
  return {
    gateways,
    plans: held,
    close: async () => {
      for (const gateway of gateways) await gateway.close();
      await catalog.close();
      held.remove();
    },
  };
}

/** So many searches at once, each on a connection of its own. */
export function searches(
  url: string,
  count: number,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer[]> {
  return Promise.all(Array.from({ length: count }, () => ask(url, { path: SEARCH, headers })));
}

/** How many of the answers have each status. */
export function tally(answers: readonly Answer[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
