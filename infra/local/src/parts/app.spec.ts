import { hardExitMs } from '@carbon/observability';
import { appPart } from './app.js';

const stopWithinMs = async (environment: Readonly<Record<string, string>>) => {
  const part = appPart({ app: 'gateway', name: 'gateway', after: [], port: 1, environment, reload: false });
  return (await part.prepare(() => Promise.reject(new Error('An app runs nothing before it starts.')))).stopWithinMs;
};

describe('an app that is stopped', () => {
  it.each([0, 12_000, 60_000])(
    'is not killed before it exits by itself, with a grace period of %d ms',
    async (graceMs) => {
      expect(await stopWithinMs({ SHUTDOWN_GRACE_MS: String(graceMs) })).toBeGreaterThan(hardExitMs(graceMs));
    },
  );

  it('is not waited for because of a setting with which it does not start', async () => {
    expect(await stopWithinMs({ SHUTDOWN_GRACE_MS: 'soon' })).toBeLessThan(hardExitMs(60_000));
  });
});
