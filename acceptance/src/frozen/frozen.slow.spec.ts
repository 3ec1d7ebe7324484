import { frozen } from '../checkout.js';
import { ASKED } from './frozen.js';

describe('public interfaces and help texts', () => {
  it.each(Object.entries(ASKED))('are unchanged: %s', async (file, read) => {
    expect(await read()).toEqual(frozen(file));
  });
});
