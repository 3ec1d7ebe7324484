import { execFile } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inheritedEnvironment } from '@carbon/config';
import { CHECKOUT } from '@carbon/local';
import { eventually } from '@carbon/testing';
import { acceptedId } from './load/client.js';
import { awaitPublished, copyStopped, putBack } from './testing/postgres-copies.js';
import { systemWithOwnEngines, type TestSystem } from './testing/system.js';

const PAGE = readFileSync(join(CHECKOUT, 'docs/restore.md'), 'utf8');
const PATIENT = { within: 180_000, every: 1_000 };

let app: TestSystem;
beforeAll(async () => {
  app = await systemWithOwnEngines();
}, 240_000);
afterAll(() => app.stop(), 180_000);

/** Returns the command blocks below a heading. */
function blocksBelow(heading: string): string[] {
  const [, below = ''] = PAGE.split(`\n## ${heading}\n`);
  const section = below.split(/^## /m)[0] ?? '';
  return [...section.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block);
}

/** Types a block, command by command, with the system's environment; each must exit with 0. */
async function type(block: string | undefined): Promise<string> {
  const { PATH = '' } = inheritedEnvironment();
  const env = { ...app.system.environment, PATH };
  let printed = '';
  for (const line of block?.split('\n').filter(Boolean) ?? []) {
    const { stdout } = await promisify(execFile)('sh', ['-c', line], { cwd: CHECKOUT, env, timeout: 180_000 });
    printed += stdout;
  }
  return printed;
}

/** Creates an offset; returns its id and its view once its outcome is published. */
async function complete(): Promise<{ id: string; view: unknown }> {
  const answer = await app.client.createOffset({ kgCO2e: 7 });
  const id = (answer.kind === 'answer' && acceptedId(answer.body)) || '';
  expect(id).not.toBe('');
  const view = await completed(id);
  await awaitPublished(app, PATIENT);
  return { id, view };
}

/** Returns its view once it is completed. */
async function completed(id: string): Promise<unknown> {
  return eventually(async () => {
    const answer = await app.client.get(`/v1/offsets?id=${id}`);
    expect(answer).toMatchObject({ status: 200, body: { status: 'completed' } });
    return answer.kind === 'answer' ? answer.body : undefined;
  }, PATIENT);
}

/** Waits until searches find the whole library. */
async function searchable(): Promise<void> {
  await eventually(async () => {
    const answer = await app.client.get('/v1/assets/projects?criteria=&fullTextSearch=');
    expect(answer).toMatchObject({ status: 200 });
    expect(Number(answer.kind === 'answer' && answer.headers['x-total-count'])).toBeGreaterThan(100);
  }, PATIENT);
}

const inOrder = async (parts: readonly string[], how: 'start' | 'stop') => {
  for (const part of parts) await app.system.part(part)[how]();
};

describe('docs/restore.md', () => {
  it('has commands below every heading that names a loss', () => {
    const headings = [...PAGE.matchAll(/^## (.*)$/gm)].map(([, heading = '']) => heading);
    expect(headings.map((heading) => blocksBelow(heading).length)).toEqual([0, 1, 2, 1, 2]);
  });

  it('is correct for a PostgreSQL restored from an older backup', async () => {
    const copy = await copyStopped(app, 'page');
    const { id, view } = await complete();
    await eventually(async () => expect(await type('npm run --silent ledger -- audit')).toContain('OK'));
    await putBack(app, copy);
    expect(await completed(id)).toEqual(view);
    await type(blocksBelow('PostgreSQL is older')[0]);
  }, 600_000);

  it('is correct for a lost Kafka', async () => {
    const { id, view } = await complete();
    const [first, second] = blocksBelow('Kafka is lost');
    await app.system.part('kafka').stop();
    rmSync(join(app.system.dir, 'data/kafka'), { recursive: true });
    await app.system.part('kafka').start();
    await type(first);
    const apps = ['gateway', 'catalog', 'offsets'];
    await inOrder(apps, 'stop');
    await inOrder(apps.toReversed(), 'start');
    expect(await completed(id)).toEqual(view);
    await complete();
    await searchable();
    await eventually(() => type(second), PATIENT);
  }, 900_000);

  it('is correct for a lost OpenSearch', async () => {
    await app.system.part('opensearch').stop();
    rmSync(join(app.system.dir, 'data/opensearch/data'), { recursive: true });
    await app.system.part('opensearch').start();
    await searchable();
    await eventually(() => type(blocksBelow('OpenSearch is lost')[0]), PATIENT);
  }, 600_000);

  it('is correct when only a backup of PostgreSQL is left', async () => {
    const { id, view } = await complete();
    const copy = await copyStopped(app, 'backup');
    const [first, second] = blocksBelow('All is lost');
    const [apps, engines] = [
      ['gateway', 'catalog', 'offsets'],
      ['kafka', 'opensearch'],
    ];
    await inOrder(apps, 'stop');
    await inOrder(engines, 'stop');
    rmSync(join(app.system.dir, 'data/kafka'), { recursive: true });
    rmSync(join(app.system.dir, 'data/opensearch/data'), { recursive: true });
    await putBack(app, copy);
    await inOrder(engines, 'start');
    await type(first);
    await inOrder(apps.toReversed(), 'start');
    expect(await completed(id)).toEqual(view);
    await complete();
    await searchable();
    await eventually(() => type(second), PATIENT);
  }, 900_000);
});
