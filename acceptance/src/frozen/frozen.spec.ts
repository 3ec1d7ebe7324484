import { frozen } from '../checkout.js';
import { DESCRIBED } from './frozen.js';

describe('what users rely on', () => {
  it.each(Object.entries(DESCRIBED))('is as it was in %s', async (file, read) => {
    expect(await read()).toEqual(frozen(file));
  });
});
