import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadCliEnvironment } from '@carbon/config';
import { testEngines } from '../test-engines.js';
import { runningEngines } from './running-engines.js';

describe('the engines of a running system', () => {
  let checkout: string;

  beforeAll(() => {
    checkout = mkdtempSync(join(tmpdir(), 'checkout-'));
    mkdirSync(join(checkout, '.local'));
  });

  afterAll(() => rmSync(checkout, { recursive: true }));

  /** What `npm start` notes in a checkout, and of that the engines. */
  function noted(values: Readonly<Record<string, string>>) {
    const lines = Object.entries(values).map(([name, value]) => `${name}=${value}\n`);
    writeFileSync(join(checkout, '.local', 'environment'), lines.join(''));
    return runningEngines(loadCliEnvironment({}, [checkout]));
  }

  it('are where it noted them, role and password included, and nothing else of its settings is taken', async () => {
    const { kafkaBrokers, opensearchUrl, databaseUrl } = testEngines();
    const engines = { KAFKA_BROKERS: kafkaBrokers, OPENSEARCH_URL: opensearchUrl, DATABASE_URL: databaseUrl };
    expect(await noted({ ...engines, TOPIC_PREFIX: 'theirs-', ID_SECRETS: 'theirs' })).toEqual(engines);
  });

  it('are missed with a word on what to do when nothing was ever started', async () => {
    await expect(runningEngines({})).rejects.toThrow('no system has been started in this checkout: start the system');
  });

  it('are missed when the system has ended and left its notes, and no password is printed', async () => {
    const gone = 'http://127.0.0.1:1';
    const ended = noted({
      KAFKA_BROKERS: '127.0.0.1:1',
      OPENSEARCH_URL: gone,
      DATABASE_URL: 'postgresql://a:hunter2@[::1]:1/a',
    });
    await expect(ended).rejects.toThrow(/^TEST_ENGINES=running, and nothing answers at \S+:1: start the system/);
    await expect(ended).rejects.not.toThrow('hunter2');
  });
});
