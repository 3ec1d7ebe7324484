import { loadConfig } from '@carbon/config';
import { z } from 'zod';
import { databaseSettings } from './offsets.config.js';
import { registrySettings } from './registry/registry.config.js';

const read = (address?: string) => () => loadConfig(z.object(databaseSettings), { DATABASE_URL: address });

describe('the address of the database', () => {
  it('must be set: no default could name the right role and password', () => {
    expect(read()).toThrow('DATABASE_URL must be set, for example postgresql://');
  });

  it('is not printed when it is malformed, because it contains a password', () => {
    expect(read('postgresq://carbon:hunter2@db/carbon')).toThrow('DATABASE_URL must be a URL that begins with');
    expect(read('postgresq://carbon:hunter2@db/carbon')).not.toThrow('hunter2');
  });
});

describe('the settings of the registry', () => {
  const settings = (environment: Record<string, string>) => loadConfig(z.object(registrySettings), environment);

  it('are all optional', () => {
    expect(settings({})).toMatchObject({ REGISTRY_CONCURRENCY: 16 });
    for (const name of ['REGISTRY_URL', 'REGISTRY_TOKEN']) expect(settings({})).not.toHaveProperty(name);
  });

  it('allow a path in the URL, and remove a slash at its end', () => {
    expect(settings({ REGISTRY_URL: 'https://credits.example/v1/' }).REGISTRY_URL).toBe('https://credits.example/v1');
  });

  it.each(['https://me:hunter2@credits.example', 'https://credits.example?key=hunter2', 'https://credits.example#a'])(
    'reject a URL with a part that would not be sent: %s',
    (address) => {
      expect(() => settings({ REGISTRY_URL: address })).toThrow('REGISTRY_URL must end with its path and hold no user');
    },
  );

  it('keep the token out of the URL, and never print it', () => {
    expect(() => settings({ REGISTRY_TOKEN: 'hunter2' })).toThrow('REGISTRY_TOKEN must be 16 to 4096 visible ASCII');
    expect(() => settings({ REGISTRY_TOKEN: 'hunter2' })).not.toThrow('hunter2');
  });
});
