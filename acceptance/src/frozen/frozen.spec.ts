import { frozen } from '../checkout.js';
import { READ_FROM_FILES } from './frozen.js';

describe('public interfaces', () => {
  it.each(Object.entries(READ_FROM_FILES))('are unchanged: %s', async (file, read) => {
    expect(await read()).toEqual(frozen(file));
  });
});
