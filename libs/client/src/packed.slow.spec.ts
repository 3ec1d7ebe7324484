import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const CHECKOUT = join(import.meta.dirname, '../../..');
const PROGRAM = `
import { CarbonClient, type Offset, CarbonError } from '@carbon/client';
const carbon = new CarbonClient({ baseUrl: 'http://127.0.0.1:9', tries: 1 });
export const costOf = ({ cost }: Offset): number | undefined => cost;
// @ts-expect-error a weight is a number
carbon.offsets.create({ kgCO2e: '1' }).catch(() => {});
carbon.offsets.create({ kgCO2e: 1 }).catch((error: unknown) => console.log(error instanceof CarbonError));
`;

let project: string;
beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'carbon-packed-'));
});
afterAll(() => rmSync(project, { recursive: true }));

/** Returns the output of a command; rejects with all of it unless the command exits with 0. */
async function outputOf(command: string, args: readonly string[], cwd: string): Promise<string> {
  return (await promisify(execFile)(command, args, { cwd })).stdout;
}

describe('the packed client', () => {
  it('is installed in an empty project without a network, type-checked and run', async () => {
    await outputOf('npm', ['pack', '--workspace', '@carbon/client', '--pack-destination', project], CHECKOUT);
    const [archive = ''] = readdirSync(project);
    writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'shop', private: true, type: 'module' }));
    await outputOf('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${archive}`], project);
    const installed = readdirSync(join(project, 'node_modules/@carbon/client'));
    expect(installed.sort()).toEqual(['LICENSE', 'NOTICE', 'README.md', 'dist', 'package.json']);

    writeFileSync(join(project, 'program.ts'), PROGRAM);
    const tsc = join(CHECKOUT, 'node_modules/ts7/bin/tsc');
    for (const [module, resolution] of [
      ['nodenext', 'nodenext'],
      ['esnext', 'bundler'],
    ] as const) {
      const how = ['--module', module, '--moduleResolution', resolution, '--lib', 'es2022,dom', '--types', ''];
      await outputOf(process.execPath, [tsc, '--noEmit', '--strict', ...how, 'program.ts'], project);
    }
    expect(await outputOf(process.execPath, ['program.ts'], project)).toBe('true\n');
  });
});
