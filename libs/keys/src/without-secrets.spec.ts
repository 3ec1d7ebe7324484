import { newKey } from './key-text.js';
import { withoutSecrets } from './without-secrets.js';

const { id, secret, text: key } = newKey();

describe('a text without the secrets of keys', () => {
  it.each([
    [`argument '${key}' is invalid`, `argument 'cl_live_${id}_…' is invalid`],
    [`unknown option '--key=${key}' "${key}"; ${key}, ${key}`, 4],
    [`/v1/offsets/${key}/x?y=1`, `/v1/offsets/cl_live_${id}_…`],
    [`keys[0].${key} is not known`, `keys[0].cl_live_${id}_… is not known`],
    [`at /v1/${encodeURIComponent(key).replaceAll('_', '%5F')}`, `at /v1/cl%5Flive%5F${id}%5F…`],
  ])('has the public id in its place, wherever one stands: %#', (said, shown) => {
    const told = withoutSecrets(said);
    if (typeof shown === 'string') expect(told).toBe(shown);
    else expect(told.split(`cl_live_${id}_…`)).toHaveLength(shown + 1);
    expect(told).not.toContain(secret);
  });

  it.each([
    ['a character too many in the id', `cl_live_${id}x_${secret}`, 'cl_live_…'],
    ['a wrong character in the id', `cl_live_${id.slice(0, 4)}-${secret}`, 'cl_live_…'],
    ['one in the secret', `cl_live_${id}_${secret.slice(0, 9)}-${secret.slice(9)}`, `cl_live_${id}_…`],
    ['no id', `cl_live_${secret}`, 'cl_live_…'],
    ['no beginning', `l_live_${id}_${secret}`, `l_live_${id}_…`],
    ['its end cut off', `cl_live_${id}_${secret.slice(0, 5)}`, `cl_live_${id}_…`],
  ])('holds none that was mistyped either: %s', (_, said, shown) => {
    expect(withoutSecrets(`the key ${said}`)).toBe(`the key ${shown}`);
  });

  it.each([
    `the key ${id} of 'cl_live'`,
    `off_${'0'.repeat(26)} of acme_${'a'.repeat(42)}`,
    `request ${'a1B'.repeat(21)}`,
    '',
  ])('is what it was where there is none: %#', (said) => {
    expect(withoutSecrets(said)).toBe(said);
  });

  it('stays as it is when it is made so again', () => {
    const once = withoutSecrets(`${key} cl_live_${secret}`);
    expect(withoutSecrets(once)).toBe(once);
  });

  it('is made in time that grows with its length alone', () => {
    const before = process.cpuUsage();
    for (const piece of ['cl_live_', '_', `cl_live_${id}_`, 'a', `_${'a'.repeat(42)}`, '%5f']) {
      withoutSecrets(piece.repeat(500_000 / piece.length));
    }
    // Microseconds of the processor. Quadratic time would take minutes.
    expect(process.cpuUsage(before).user).toBeLessThan(2_000_000);
  });
});
