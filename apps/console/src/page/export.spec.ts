import { snippetsOf } from '../search/snippets.js';
import { csvOf } from './csv.js';
import { remainingTimeText, weightText, yearsText } from './format.js';

const lines = (rows: readonly Readonly<Record<string, unknown>>[]) =>
  csvOf(['a', 'b'], rows).split('\r\n').slice(1, -1);

describe('CSV', () => {
  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1'])('has no formula of the text %j', (text) => {
    expect(csvOf(['a'], [{ a: text }]).replaceAll('"', '')).toBe(`\ufeffa\r\n'${text}\r\n`);
  });

  it('quotes what would end a cell, joins lists, and leaves the absent empty', () => {
    expect(lines([{ a: 'x, "y"\nz', b: [2015, 2016] }, { b: -1.5 }, { a: true, b: 0 }])).toEqual([
      '"x, ""y""\nz",2015; 2016',
      ',-1.5',
      'true,0',
    ]);
  });

  it('makes a list of texts inert as one text', () => {
    expect(lines([{ a: ['=1', '2'], b: '' }])).toEqual(["'=1; 2,"]);
  });
});

describe('texts of the table', () => {
  it('shortens years to runs', () => {
    expect([[2018, 2015, 2016, 2016], [2012], []].map(yearsText)).toEqual(['2015–2016, 2018', '2012', '–']);
  });

  it('shows weights from a tonne in tonnes', () => {
    expect([0.5, 999.999, 1_000, 2_500.5].map(weightText)).toEqual(['0.5 kg', '999.999 kg', '1 t', '2.5005 t']);
  });

  it('shows the two largest units of a rest of time', () => {
    expect([86_399_000, 60_000, 1_999, 0, -5].map(remainingTimeText)).toEqual([
      '23 h 59 min',
      '1 min 0 s',
      '1 s',
      '0 s',
      '0 s',
    ]);
  });
});

describe('a search elsewhere', () => {
  const state = { kind: 'projects', criteria: `name: "it's"`, text: '', sort: '-price' } as const;
  const [curl, code, cli] = snippetsOf(state, 'https://carbon.example', true).map((snippet) => snippet.code);

  it('is quoted for a shell, and names the key without showing it', () => {
    expect(curl).toBe(
      [
        'curl -sG https://carbon.example/v1/assets/projects',
        '-H "Authorization: Bearer $API_KEY"',
        `--data-urlencode 'criteria=name: "it'\\''s"'`,
        '--data-urlencode fullTextSearch=',
        '--data-urlencode sort=-price',
        '--data-urlencode fields=id,name,price,vintages,rating',
      ].join(' \\\n  '),
    );
    expect(cli).toBe(
      `GATEWAY_URL=https://carbon.example npm run cli -- projects --sort=-price --fields id,name,price,vintages,rating 'name: "it'\\''s"'`,
    );
  });

  it('is no option of the command line where it begins with a minus', () => {
    const negative = snippetsOf({ ...state, criteria: '-rating: 3' }, 'https://carbon.example', false);
    expect(negative.at(-1)?.code).toMatch(/,rating -- '-rating: 3'$/);
  });

  it('is quoted for TypeScript', () => {
    expect(code).toContain(`  criteria: 'name: "it\\'s"',`);
    expect(code).toContain("baseUrl: 'https://carbon.example', key: process.env.API_KEY");
  });
});
