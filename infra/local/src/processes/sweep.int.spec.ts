import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { identityOf } from './process-identity.js';
import { sweepLeftovers } from './sweep.js';

const dir = mkdtempSync(join(tmpdir(), 'sweep-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** A process in a group of its own, as a guard that was killed leaves it. */
function leftBehind() {
  const child = spawn('/bin/sleep', ['600'], { detached: true, stdio: 'ignore' });
  const identity = identityOf(child.pid ?? 0);
  if (identity === undefined) throw new Error('it did not start');
  return identity;
}

const note = (name: string, content: unknown) => writeFileSync(join(dir, `${name}.json`), JSON.stringify(content));

describe('the sweep at the start', () => {
  it('ends what an earlier launcher left behind', async () => {
    const child = leftBehind();
    note('kafka', { guard: { pid: 999_999_999, startedAt: 'long ago' }, child });
    expect(await sweepLeftovers(dir)).toEqual(['kafka']);
    expect(identityOf(child.pid)).toBeUndefined();
    expect(existsSync(join(dir, 'kafka.json'))).toBe(false);
  });

  it('leaves a stranger alone that has the noted pid but began at another time', async () => {
    const stranger = leftBehind();
    note('kafka', { guard: stranger, child: { ...stranger, startedAt: 'long ago' } });
    expect(await sweepLeftovers(dir)).toEqual([]);
    expect(identityOf(stranger.pid)).toBeDefined();
    process.kill(stranger.pid, 'SIGKILL');
  });

  it('passes over a torn note', async () => {
    writeFileSync(join(dir, 'torn.json'), '{"guard":');
    expect(await sweepLeftovers(dir)).toEqual([]);
    expect(existsSync(join(dir, 'torn.json'))).toBe(false);
  });
});
