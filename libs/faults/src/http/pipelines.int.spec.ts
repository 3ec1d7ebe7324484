import { startTestApp, type TestApp } from './test-app.js';
import { ask, converse } from './test-wire.js';

let test: TestApp;

beforeAll(async () => {
  // However long a busy machine takes to read what comes at once.
  test = await startTestApp({ headMs: 60_000, requestMs: 60_000, handlerMs: 60_000 });
});

afterAll(() => test.app.close());

const GET = 'GET /things?criteria= HTTP/1.1\r\nHost: x\r\n\r\n';
const slow = (note: string) => `GET /things/slow/${note} HTTP/1.1\r\nHost: x\r\n\r\n`;

describe('several requests on one connection', () => {
  it('are answered in their order, and a broken one behind them last', async () => {
    const wire = await converse(test.port, `${slow('a')}${GET}${slow('b')}nonsense\r\n\r\n`);
    const told = [...wire.matchAll(/HTTP\/1\.1 (\d+)|"slow":"(\w)"/g)].map(([, status, note]) => status ?? note);
    expect(told).toEqual(['200', 'a', '200', '200', 'b', '400']);
    expect(wire.match(/application\/problem\+json/g)).toHaveLength(1);
  });

  it('are not looked at any more behind a broken one', async () => {
    const wire = await converse(test.port, `nonsense\r\n\r\n${GET}${GET}`);
    expect(wire.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 400']);
  });

  it('cannot be hidden in the body of another', async () => {
    const hidden = 'POST /things/slow/x HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n';
    const head = 'POST /things HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\n';
    const wire = await converse(test.port, `${head}Content-Length: ${hidden.length}\r\n\r\n${hidden}`);
    expect(wire.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 400']);
    expect(wire).toContain('invalid_json');
  });

  it('may be thousands at once: others are served meanwhile, and every one is answered', async () => {
    const many = 2_000;
    const flood = converse(
      test.port,
      GET.repeat(many),
      'GET /nothing HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    );
    expect((await ask(test, '/things?criteria=')).status).toBe(200);
    expect((await flood).match(/HTTP\/1\.1 200/g)).toHaveLength(many);
  });
});
