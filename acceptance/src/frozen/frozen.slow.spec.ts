import { frozen } from '../checkout.js';
import { ASKED } from './frozen.js';

describe('what users rely on and programs say', () => {
  it.each(Object.entries(ASKED))('is as it was in %s', async (file, read) => {
    expect(await read()).toEqual(frozen(file));
  });
});
