import { frozen } from '../checkout.js';
import { DESCRIBED } from './frozen.js';

describe('public interfaces', () => {
  it.each(Object.entries(DESCRIBED))('are unchanged: %s', async (file, read) => {
    expect(await read()).toEqual(frozen(file));
  });
});
