import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { offsetIdSchema, retirementReceiptView } from '@carbon/contracts';
import { TestRegistry } from './test-registry.js';

const PAGE = readFileSync(new URL('../../../docs/registry.md', import.meta.url), 'utf8');
/** Where the page says a registry is; it stands elsewhere in a test. */
const PRINTED = 'http://localhost:4000/v1';

function blocks(language: string): string[] {
  return [...PAGE.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(
    ([, block = '']) => block,
  );
}

describe('docs/registry.md', () => {
  const [retired, told, receipt] = blocks('json').map((block) => JSON.parse(block)) as object[];

  it('gives calls that are answered as it says, by a registry that does as it says', async () => {
    const registry = await TestRegistry.start();
    const answers: unknown[] = [];
    for (const command of blocks('sh')) {
      expect(command).toContain(PRINTED);
      const { stdout } = await promisify(execFile)('sh', ['-c', command.replace(PRINTED, registry.url)]);
      const [head = '', body = ''] = stdout.split('\r\n\r\n');
      answers.push([head.split(' ', 2)[1], JSON.parse(body)]);
    }
    expect(answers).toEqual([
      ['201', retired],
      ['200', told],
    ]);
    expect(registry.ledger).toEqual([retired]);
    await registry.stop();
  });

  it('gives a receipt that is one, of an offset that could be', () => {
    const { offset } = retirementReceiptView.parse(receipt);
    expect(offsetIdSchema.safeParse(offset).success).toBe(true);
  });

  it('gives a program that knows a true receipt from any other', () => {
    const [program = ''] = blocks('js');
    const judged = (changed: (text: string) => string) =>
      spawnSync(process.execPath, ['--input-type=module', '-e', program], { input: changed(JSON.stringify(receipt)) })
        .stdout.toString()
        .trim();
    expect(judged((text) => text)).toBe('holds');
    for (const [from, to] of [
      ['1.2345', '1.234501'],
      ['"price":1.25', '"price":1.26'],
      ['08:00:00.000', '08:00:00.001'],
      ['"sequence":1', '"sequence":2'],
      ['0001"', '0002"'],
      ['pool_bct', 'pool_nct'],
    ] as const) {
      expect(judged((text) => text.replace(from, to))).toBe('does not hold');
    }
    expect(judged((text) => text.replace('R-1', 'R-2'))).toBe('holds');
    expect(judged((text) => text.replace(/"entries":.*/, '"entries":[]}'))).toBe('does not hold');
  });
});
