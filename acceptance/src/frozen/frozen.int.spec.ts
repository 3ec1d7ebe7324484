import { frozen } from '../checkout.js';
import { MIGRATED } from './frozen.js';

describe('the database schema after all migrations', () => {
  it.each(Object.entries(MIGRATED))('is unchanged: %s', async (file, read) => {
    expect(await read()).toEqual(frozen(file));
  });
});
