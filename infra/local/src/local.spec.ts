import { loadConfig } from '@carbon/config';
import { hardExitMs } from '@carbon/observability';
import { appPart, environmentWith } from './parts/app.js';
import { launcherSettings } from './settings.js';
import { decideRestart } from './supervise/supervised-part.js';

describe('the launcher’s settings', () => {
  it('are all optional, and accept running engines', () => {
    const engines = { OPENSEARCH_URL: 'http://search:9200', DATABASE_URL: 'postgresql://carbon@db/carbon' };
    const read = loadConfig(launcherSettings, { ...engines, KAFKA_BROKERS: 'a:9092,b:9092' });
    expect(read).toMatchObject({
      ...engines,
      KAFKA_BROKERS: ['a:9092', 'b:9092'],
      GATEWAY_PORT: 3000,
      TOPIC_PREFIX: '',
    });
    expect(loadConfig(launcherSettings, {}).KAFKA_BROKERS).toBeUndefined();
  });

  it('refuse an invalid address of an engine, and print no password in it', () => {
    const wrong = { KAFKA_BROKERS: 'kafka', OPENSEARCH_URL: 'search:hunter2@9200', DATABASE_URL: 'pg://me:hunter2@db' };
    const read = () => loadConfig(launcherSettings, wrong);
    expect(read).toThrow(
      /KAFKA_BROKERS must be .*\(it is "kafka"\)\n {2}OPENSEARCH_URL must .*\n {2}DATABASE_URL must /,
    );
    expect(read).not.toThrow('hunter2');
  });
});

describe('the environment of an app or a step', () => {
  it('has no variable of the shell that the launcher sets, under any name', () => {
    const kept = { PATH: '/bin', LOG_LEVEL: 'debug' };
    const dropped = {
      PORT: '1',
      INDEX_PREFIX: 'theirs-',
      API_KEYS_FILE: '/their/keys.json',
      DATABASE_URL_FILE: '/run/secrets/database',
      OPENSEARCH_URL_FILE: '/run/secrets/opensearch',
      ID_SECRETS: 'theirs',
      KAFKA_TLS: 'on',
      KAFKA_SASL_PASSWORD: 'theirs',
    };
    const ours = { DATABASE_URL: 'postgresql://ours' };
    expect(environmentWith(ours, { ...kept, ...dropped })).toEqual({ ...kept, ...ours });
  });
});

describe('an app that is stopped', () => {
  const stopWithinMs = async (SHUTDOWN_GRACE_MS: string) => {
    const environment = { SHUTDOWN_GRACE_MS };
    const part = appPart({ app: 'gateway', name: 'gateway', after: [], port: 1, environment, reload: false });
    return (await part.prepare(() => Promise.reject(new Error('An app runs nothing before it starts.')))).stopWithinMs;
  };

  it.each([0, 12_000, 60_000])(
    'is not killed before it exits by itself, with a grace period of %d ms',
    async (graceMs) => {
      expect(await stopWithinMs(String(graceMs))).toBeGreaterThan(hardExitMs(graceMs));
    },
  );

  it('is killed early if it cannot start with its setting', async () => {
    expect(await stopWithinMs('soon')).toBeLessThan(hardExitMs(60_000));
  });
});

describe('the restart policy', () => {
  it('waits 0.2 s, then doubles up to 5 s, counting from when the part was last ready', () => {
    const minutesApart = [0, 1, 2, 3, 4, 5, 6].map((minute) => minute * 60_000);
    const waits = minutesApart.map((now, exit) => decideRestart(minutesApart.slice(0, exit + 1), now));
    const expected = [200, 400, 800, 1600, 3200, 5000, 5000].map((inMs) => ({ kind: 'restart', inMs }));
    expect(waits).toEqual(expected);
  });

  it('gives up at the sixth exit within two minutes', () => {
    const exits = [0, 1, 2, 3, 4].map((second) => second * 1_000);
    expect(decideRestart(exits, 5_000).kind).toBe('restart');
    expect(decideRestart([...exits, 119_000], 119_000)).toEqual({ kind: 'give-up' });
    expect(decideRestart([...exits, 125_000], 125_000)).toEqual({ kind: 'restart', inMs: 5_000 });
  });
});
