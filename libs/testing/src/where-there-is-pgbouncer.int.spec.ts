import { type TemporaryDir, temporaryDir } from '@carbon/local';
import { whereThereIsPgbouncer } from './where-there-is-pgbouncer.js';

const WITHOUT_APT = { PATH: '/nowhere' };

let folder: TemporaryDir;
beforeAll(async () => {
  folder = await temporaryDir();
});
afterAll(() => folder.remove());

describe('tests that need PgBouncer, where there is no apt', () => {
  const search = (environment: Readonly<Record<string, string>>, said: string[]) =>
    whereThereIsPgbouncer(describe, { folder: folder.dir, environment, say: (sentence) => void said.push(sentence) });

  it('are skipped, and one sentence says why', async () => {
    const { skip } = describe;
    const said: string[] = [];
    expect(await search(WITHOUT_APT, said)).toBe(skip);
    expect(said).toEqual([
      'Tests are skipped: PgBouncer comes by apt-get download (Debian, Ubuntu), which failed: Error: spawn apt-get ENOENT',
    ]);
  });

  it('fail in CI', async () => {
    const said: string[] = [];
    await expect(search({ ...WITHOUT_APT, CI: 'true' }, said)).rejects.toThrow('PgBouncer comes by apt-get download');
    expect(said).toEqual([]);
  });
});
