import { frozen } from '../checkout.js';
import { MIGRATED } from './frozen.js';

describe('the database that migrations make', () => {
  it.each(Object.entries(MIGRATED))('is as it was in %s', async (file, read) => {
    expect(await read()).toEqual(frozen(file));
  });
});
