import { z } from 'zod';
import { describeConfig } from './documentation.js';
import { integer, port, secretList, text } from './setting.js';

const gateway = z.object({
  PORT: port(3000, 'Where it listens.'),
  PREFIX: text(/^\w*$/, 'a word', { description: 'A | prefix.', fallback: '' }),
  ID_SECRETS: secretList('Proves ids.'),
});
const catalog = z.object({
  PORT: port(3002, 'Where it listens.').describe('Where the catalog listens.'),
  PREFIX: gateway.shape.PREFIX,
  WORKERS: integer(1, 8, { description: 'Workers.' }).optional(),
});

const PORTS = '0 to 65535';

describe('the documentation of settings', () => {
  it('has the description, the default, the range, and whether the setting is required or secret; the outermost description wins', () => {
    expect([...describeConfig(gateway), ...describeConfig(catalog)]).toEqual([
      { name: 'PORT', description: 'Where it listens.', required: false, fallback: '3000', values: PORTS },
      { name: 'PREFIX', description: 'A | prefix.', required: false, fallback: '' },
      { name: 'ID_SECRETS', description: expect.stringMatching(/^Proves ids\./), required: true, secret: true },
      { name: 'PORT', description: 'Where the catalog listens.', required: false, fallback: '3002', values: PORTS },
      { name: 'PREFIX', description: 'A | prefix.', required: false, fallback: '' },
      { name: 'WORKERS', description: 'Workers.', required: false, values: '1 to 8' },
    ]);
    expect(() => describeConfig(z.object({ MUTE: z.string() }))).toThrow('MUTE has no description');
  });
});
