import { startGateway, type TestGateway } from '../test-gateway.js';
import { TestKeyFile, testKey } from '../test-keys.js';
import { type Opened, openPage } from './test-browser.js';

const key = testKey('reader');

let file: TestKeyFile;
let gateway: TestGateway;
let opened: Opened;
beforeAll(async () => {
  file = new TestKeyFile(key);
  gateway = await startGateway({ API_KEYS_FILE: file.path });
  opened = await openPage(`${gateway.url}/docs`);
});
afterAll(async () => {
  await opened?.close();
  await gateway?.close();
  file.remove();
});

/** The part of the page about one operation. */
const operation = (id: string) => opened.page.locator(`.opblock[id$="-${id}"]`);

describe('/docs in a browser', () => {
  it('lists every operation', async () => {
    await operation('createOffset').waitFor();
    const listed = await opened.page.locator('.opblock').evaluateAll((blocks) => blocks.map(({ id }) => id));
    expect(listed.map((id) => id.split('-').at(-1))).toEqual([
      'createOffset',
      'readOffsets',
      'createEstimate',
      'getEstimate',
      'getRetirements',
      'searchPools',
      'searchProjects',
      'describeFields',
      'isLive',
      'isReady',
      'getDescription',
      'listProblems',
      'explainProblem',
    ]);
  });

  it('tells the first steps', async () => {
    expect(await opened.page.locator('.info').textContent()).toMatch(/First steps[\s\S]*Show your key/);
  });

  it('sends a request that is tried out, with the key that was typed in, and shows the answer', async () => {
    const { page } = opened;
    await page.getByRole('button', { name: 'Authorize' }).first().click();
    await page.locator('#auth-bearer-value').fill(key.text);
    await page.locator('.modal-ux').getByRole('button', { name: 'Apply credentials' }).first().click();
    await page.locator('.modal-ux').getByRole('button', { name: 'Close' }).first().click();
    await operation('createOffset').locator('.opblock-summary-control').click();
    await operation('createOffset').getByRole('button', { name: 'Execute' }).click();
    const live = operation('createOffset').locator('.live-responses-table');
    await live.waitFor();
    expect(await live.textContent()).toMatch(/202[\s\S]*Offset event with ID: off_\w{26} queued for processing\./);
    expect(await gateway.requested()).toHaveLength(1);
  });

  it('asks nobody but the gateway, and has nothing to complain of', () => {
    const { requests, complaints } = opened;
    expect(requests.length).toBeGreaterThan(5);
    expect(requests.filter((request) => !request.split(' ')[1]?.startsWith(`${gateway.url}/`))).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('keeps no key, and nothing else', async () => {
    const kept = await opened.page.evaluate('[localStorage.length, sessionStorage.length, document.cookie]');
    expect(kept).toEqual([0, 0, '']);
  });
});
