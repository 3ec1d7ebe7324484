import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadCliEnvironment } from './load-cli-environment.js';

describe('loadCliEnvironment', () => {
  let checkout: string;
  let inside: string;
  let outside: string;

  beforeAll(() => {
    outside = mkdtempSync(join(tmpdir(), 'outside-'));
    checkout = mkdtempSync(join(tmpdir(), 'checkout-'));
    inside = join(checkout, 'apps', 'offsets');
    mkdirSync(inside, { recursive: true });
    mkdirSync(join(checkout, '.local'));
    writeFileSync(join(checkout, '.local', 'environment'), '# written at the start\nA=1\nB="two words"\nC=3\nD=4\n');
  });

  afterAll(() => [checkout, outside].map((directory) => rmSync(directory, { recursive: true })));

  it('fills in what is not set from the checkout it runs in', () => {
    const environment = loadCliEnvironment({ A: 'mine', D_FILE: '/run/d', C: '' }, [inside]);
    expect(environment).toEqual({ A: 'mine', B: 'two words', C: '3', D_FILE: '/run/d' });
  });

  it('falls back to the checkout it belongs to', () => {
    expect(loadCliEnvironment({}, [outside, checkout]).A).toBe('1');
  });

  it('leaves out how an engine is reached when the environment names another one', () => {
    const file = join(checkout, '.local', 'environment');
    const before = readFileSync(file, 'utf8');
    writeFileSync(file, 'KAFKA_BROKERS=own:1\nKAFKA_TLS=on\nKAFKA_SASL_PASSWORD=secret\nOPENSEARCH_PASSWORD=other\n');
    expect(loadCliEnvironment({ KAFKA_BROKERS: 'stranger:1' }, [inside])).toEqual({
      KAFKA_BROKERS: 'stranger:1',
      OPENSEARCH_PASSWORD: 'other',
    });
    writeFileSync(file, before);
  });

  it('leaves the environment alone where nothing runs', () => {
    expect(loadCliEnvironment({ A: 'mine' }, [outside])).toEqual({ A: 'mine' });
  });
});
