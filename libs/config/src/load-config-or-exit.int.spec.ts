import { execFile } from 'node:child_process';
import { join } from 'node:path';

const DOOR = join(import.meta.dirname, '..', 'dist', 'index.js');
const MAIN = `
  const { z } = await import('zod');
  const { kafkaSettings, loadConfigOrExit, logSettings } = await import(process.argv[1]);
  console.log(loadConfigOrExit(z.object({ ...kafkaSettings, ...logSettings })).LOG_LEVEL);
`;

function run(environment: Record<string, string>): Promise<{ code: unknown; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const options = { env: environment, cwd: import.meta.dirname };
    execFile(process.execPath, ['--input-type=module', '-e', MAIN, DOOR], options, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });
}

describe('loadConfigOrExit', () => {
  it('lets a process with good settings go on', async () => {
    expect(await run({ LOG_LEVEL: 'debug' })).toEqual({ code: 0, stdout: 'debug\n', stderr: '' });
  });

  it('ends a process with wrong settings with 78, all of them on standard error', async () => {
    const { code, stdout, stderr } = await run({ LOG_LEVEL: 'loud', KAFKA_BROKERS: 'kafka' });
    expect({ code, stdout }).toEqual({ code: 78, stdout: '' });
    expect(stderr).toBe(
      'The configuration cannot be used:\n' +
        '  KAFKA_BROKERS must be one or more host:port, separated by commas (it is "kafka")\n' +
        '  LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, silent (it is "loud")\n',
    );
  });
});
