import { loadConfig } from '@carbon/config';
import { z } from 'zod';
import { databaseSettings } from './offsets.config.js';

const read = (address?: string) => () => loadConfig(z.object(databaseSettings), { DATABASE_URL: address });

describe('the address of the database', () => {
  it('must be set: no default could name the right role and password', () => {
    expect(read()).toThrow('DATABASE_URL must be set, for example postgresql://');
  });

  it('is not printed when it is mistyped, for it holds a password', () => {
    expect(read('postgresq://carbon:hunter2@db/carbon')).toThrow('DATABASE_URL must be an address that begins with');
    expect(read('postgresq://carbon:hunter2@db/carbon')).not.toThrow('hunter2');
  });
});
