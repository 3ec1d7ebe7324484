import { frozen } from '../checkout.js';
import { READ_FROM_DATABASE } from './frozen.js';

describe('the database schema after all migrations', () => {
  it.each(Object.entries(READ_FROM_DATABASE))('is unchanged: %s', async (file, read) => {
    expect(await read()).toEqual(frozen(file));
  });
});
