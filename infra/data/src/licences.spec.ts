import { readdirSync, readFileSync } from 'node:fs';

const root = new URL('../../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');

describe('the licences of the data', () => {
  it.each([
    ['LICENSE-MIT-klima-subgraph.txt', 'Copyright (c) 2021 Klima DAO'],
    ['LICENSE-MIT-offsets-db-data.txt', 'Copyright (c) 2023 carbonplan'],
  ])('lie whole beside the rows: %s', (file, holder) => {
    const licence = read(`infra/data/sources/${file}`);
    expect(licence).toContain(holder);
    expect(licence).toContain('Permission is hereby granted, free of charge');
    expect(licence).toContain('THE SOFTWARE IS PROVIDED "AS IS"');
  });

  it.each(['NOTICE', 'infra/data/README.md'])('are attributed in %s', (file) => {
    const text = read(file).replace(/\s+/g, ' ');
    for (const credit of ['Klima DAO', 'Barbara K. Haya', 'CarbonPlan', 'CDR Database', 'Stripe', 'CC BY 4.0']) {
      expect(text).toContain(credit);
    }
  });

  it('are stated for every source file', () => {
    const readme = read('infra/data/README.md');
    for (const file of readdirSync(new URL('infra/data/sources/', root))) expect(readme).toContain(file);
  });

  it('leave the project itself under Apache-2.0', () => {
    expect(read('LICENSE')).toMatch(/^\s+Apache License\n\s+Version 2\.0, January 2004\n/);
    expect(read('LICENSE')).toContain('END OF TERMS AND CONDITIONS');
  });
});
