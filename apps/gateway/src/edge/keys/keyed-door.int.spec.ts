import { TestKeyFile, testKey } from '../../test-keys.js';
import { KeyFileInForce } from './key-file.js';
import { KeyedDoor } from './keyed-door.js';

const SAMPLES = 1_000;
const IN_A_SAMPLE = 10;

const good = testKey('acme');
const revoked = testKey('gone', { revokedAt: '2026-02-01T00:00:00Z' });
const expired = testKey('gone', { expiresAt: '2026-02-01T00:00:00Z' });
const wrong = testKey('other');
const file = new TestKeyFile(good, revoked, expired, { ...wrong, entry: { ...wrong.entry, sha256: '0'.repeat(64) } });
const door = new KeyedDoor(new KeyFileInForce(file.path));
afterAll(() => file.remove());

type Asking = Parameters<KeyedDoor['identify']>[0];
const asking = (text: string) =>
  ({ raw: { rawHeaders: ['Host', 'x', 'Authorization', `Bearer ${text}`] } }) as unknown as Asking;

function isRefused(request: Asking): boolean {
  try {
    door.identify(request);
    return false;
  } catch {
    return true;
  }
}

describe('the time until a refusal', () => {
  // Of the processor; in turns, so that what happens beside it meets all alike; medians, so that it does not matter how much.
  it('is the same for unknown, wrong, revoked, expired and malformed, at 1,000 samples each', () => {
    const typo = good.text.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'));
    const shown = [testKey('nobody').text, wrong.text, revoked.text, expired.text, typo].map(asking);
    const times = shown.map(() => new Float64Array(SAMPLES));
    expect(isRefused(asking(good.text))).toBe(false);
    for (let sample = -SAMPLES / 4; sample < SAMPLES; sample += 1) {
      for (const [kind, request] of shown.entries()) {
        const begin = process.cpuUsage();
        let refusals = 0;
        for (let nth = 0; nth < IN_A_SAMPLE; nth += 1) refusals += Number(isRefused(request));
        const { user, system } = process.cpuUsage(begin);
        if (refusals !== IN_A_SAMPLE) throw new Error('one was let in');
        if (sample >= 0) (times[kind] as Float64Array)[sample] = user + system;
      }
    }
    const medians = times.map((some) => some.sort()[SAMPLES / 2] ?? 0);
    expect(Math.max(...medians) / Math.min(...medians)).toBeLessThan(1.25);
  });
});
