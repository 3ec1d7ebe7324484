import { frozen } from '../checkout.js';
import { PRINTED_BY_COMMANDS } from './frozen.js';

describe('public interfaces and help texts', () => {
  it.each(Object.entries(PRINTED_BY_COMMANDS))('are unchanged: %s', async (file, read) => {
    expect(await read()).toEqual(frozen(file));
  });
});
