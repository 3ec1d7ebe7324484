import { z } from 'zod';
import { secretList } from '../fragments/secrets.js';
import { port, text, whole } from '../fragments/values.js';
import { configurationPage } from './configuration-page.js';
import { describeConfig } from './describe-config.js';
import { envExample } from './env-example.js';

const gateway = z.object({
  PORT: port(3000, 'Where it listens.'),
  PREFIX: text(/^\w*$/, 'a word', { description: 'A | prefix.', fallback: '' }),
  ID_SECRETS: secretList('Proves ids.'),
});
const catalog = z.object({
  PORT: port(3002, 'Where it listens.').describe('Where the catalog listens.'),
  PREFIX: gateway.shape.PREFIX,
  WORKERS: whole(1, 8, { description: 'Workers.' }).optional(),
});
const sections = [
  { title: 'gateway', intro: 'The front door.', schema: gateway },
  { title: 'catalog', schema: catalog },
];

describe('describeConfig', () => {
  it('knows of each setting what it is for, its default, and whether it is needed or secret', () => {
    expect(describeConfig(gateway)).toEqual([
      { name: 'PORT', description: 'Where it listens.', required: false, secret: false, fallback: '3000' },
      { name: 'PREFIX', description: 'A | prefix.', required: false, secret: false, fallback: '' },
      { name: 'ID_SECRETS', description: expect.stringMatching(/^Proves ids\./), required: true, secret: true },
    ]);
  });

  it('looks through wrappers, the outermost description winning', () => {
    expect(describeConfig(catalog).map(({ description, required }) => [description, required])).toEqual([
      ['Where the catalog listens.', false],
      ['A | prefix.', false],
      ['Workers.', false],
    ]);
  });

  it('refuses a setting that says nothing about itself', () => {
    expect(() => describeConfig(z.object({ MUTE: z.string() }))).toThrow('MUTE has no description');
  });
});

describe('configurationPage', () => {
  it('has a table per section', () => {
    const page = configurationPage(sections);
    expect(page).toContain('## gateway\n\nThe front door.\n\n| Name | Default | Meaning |');
    expect(page).toContain('| `PREFIX` | *empty* | A \\| prefix. |');
    expect(page).toMatch(/\| `ID_SECRETS` \| \*required\* \| Proves ids\..* Secret\. \|/);
    expect(page).toContain('| `WORKERS` | *none* | Workers. |');
  });
});

describe('envExample', () => {
  it('shows every setting once per default, and leaves only what is needed to be filled in', () => {
    const lines = envExample(sections).split('\n');
    const settings = lines.filter((line) => /^(# )?[A-Z_]+=/.test(line));
    expect(settings).toEqual(['# PORT=3000', '# PREFIX=', 'ID_SECRETS=', '# PORT=3002', '# WORKERS=']);
  });
});
