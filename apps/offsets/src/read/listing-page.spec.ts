import { readFileSync } from 'node:fs';
import { LIST_PARAMETERS, OFFSET_STATUSES } from '@carbon/contracts';
import { readListQuestion } from './list-parameters.js';

const PAGE = readFileSync(new URL('../../../../docs/listing-offsets.md', import.meta.url), 'utf8');
/** The rows of the table of parameters: the name, and what is told of it. */
const ROWS = [...PAGE.matchAll(/^\| `(\w+)` \| (.+) \|$/gm)].map(([, name = '', told = '']) => ({ name, told }));
const toldOf = (parameter: string) => ROWS.find(({ name }) => name === parameter)?.told;
/** The queries of the commands on the page. */
const COMMANDS = [...PAGE.matchAll(/^curl .+$/gm)].map(([command]) => command);

function queryOf(command: string): string {
  const [, sent = ''] = /localhost:3000\/v1\/offsets(\?[^']+)?/.exec(command) ?? [];
  const encoded = [...command.matchAll(/--data-urlencode '(\w+)=([^']*)'/g)].map(([, name = '', value = '']) => [
    name,
    value,
  ]);
  return encoded.length === 0 ? sent : `?${new URLSearchParams(Object.fromEntries(encoded))}`;
}

describe('docs/listing-offsets.md', () => {
  it('knows all parameters, and no other', () => {
    expect(ROWS.map(({ name }) => name)).toEqual(Object.keys(LIST_PARAMETERS));
  });

  it('knows the states, the sizes of pages, and which end of a range belongs to it', () => {
    expect([...(toldOf('status') ?? '').matchAll(/`(\w+)`/g)].map(([, status]) => status)).toEqual([
      ...OFFSET_STATUSES,
    ]);
    expect(toldOf('limit')).toContain(`${readListQuestion('/v1/offsets').limit} unless given`);
    expect(readListQuestion('/v1/offsets?limit=100').limit).toBe(100);
    expect(() => readListQuestion('/v1/offsets?limit=101')).toThrow();
    expect(toldOf('createdTo')).toContain('**not** included');
  });

  it('has commands whose parameters are taken', () => {
    expect(COMMANDS.length).toBeGreaterThan(5);
    const used = COMMANDS.flatMap((command) => Object.keys(readListQuestion(`/v1/offsets${queryOf(command)}`).filters));
    expect(new Set(used)).toEqual(new Set(['status', 'customerRef', 'createdFrom', 'createdTo']));
  });
});
