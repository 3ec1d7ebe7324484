import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig, openSearchSettings } from '@carbon/config';
import { CertificateAuthority, startTlsProxy, type TemporaryDir, type TlsProxy, temporaryDir } from '@carbon/local';
import { testEngines } from '@carbon/testing';
import { z } from 'zod';
import { OpenSearch, waitForOpenSearch } from './open-search.js';
import { openSearchConnection, openSearchHint } from './open-search-connection.js';

type Environment = Readonly<Record<string, string>>;

const authority = new CertificateAuthority();
const otherAuthority = new CertificateAuthority('Another authority');
const answered = z.object({ version: z.object({ number: z.string() }) });
const proxies: TlsProxy[] = [];
let folder: TemporaryDir;
let good: TlsProxy;
let expired: TlsProxy;
let mutual: TlsProxy;

beforeAll(async () => {
  folder = await temporaryDir();
  const [certificate, old] = [{ name: 'opensearch', hosts: ['localhost'] }, { days: -1 }];
  good = await proxy(authority.issue(certificate));
  expired = await proxy(authority.issue({ ...certificate, ...old }));
  mutual = await proxy({ ...authority.issue(certificate), clientAuthority: authority.certificate });
});

afterAll(() => {
  for (const one of proxies) one.close();
  folder.remove();
});

async function proxy(options: Parameters<typeof startTlsProxy>[1]): Promise<TlsProxy> {
  const { hostname, port } = new URL(testEngines().opensearchUrl);
  const started = await startTlsProxy({ host: hostname, port: Number(port) }, options);
  proxies.push(started);
  return started;
}

function file(name: string, content: string): string {
  const path = join(folder.dir, name);
  writeFileSync(path, content);
  return path;
}

function openSearchWith(environment: Environment): OpenSearch {
  const ca = { OPENSEARCH_CA_FILE: file('ca.pem', authority.certificate) };
  return new OpenSearch(openSearchConnection(loadConfig(z.object(openSearchSettings), { ...ca, ...environment })));
}

const at = ({ port }: TlsProxy, host = 'localhost') => ({ OPENSEARCH_URL: `https://${host}:${port}` });

function clientFiles(by: CertificateAuthority): Environment {
  const { certificate, key } = by.issue({ name: 'catalog' });
  return { OPENSEARCH_CERT_FILE: file('client.pem', certificate), OPENSEARCH_KEY_FILE: file('client.key', key) };
}

async function versionBy(environment: Environment): Promise<unknown> {
  const openSearch = openSearchWith(environment);
  const { version } = await openSearch.request({ method: 'GET', path: '/' }, answered, 60_000);
  await openSearch.close();
  return version.number;
}

describe('OpenSearch over TLS', () => {
  it('is verified by the authority in the file', async () => {
    expect(await versionBy(at(good))).toMatch(/^\d+\./);
  });

  it('accepts a client certificate', async () => {
    expect(await versionBy({ ...at(mutual), ...clientFiles(authority) })).toMatch(/^\d+\./);
  });

  it('continues with the other nodes while one is down', async () => {
    const nodes = `https://localhost:1,${at(good).OPENSEARCH_URL}`;
    const openSearch = openSearchWith({ OPENSEARCH_URL: nodes });
    await waitForOpenSearch(openSearch, 60_000, () => {});
    const asks = Array.from({ length: 5 }, () => openSearch.request({ method: 'GET', path: '/' }, answered, 60_000));
    expect(await Promise.all(asks)).toHaveLength(5);
    await openSearch.close();
  });

  it.each<[string, () => Environment, RegExp]>([
    [
      'an unknown authority',
      () => ({ ...at(good), OPENSEARCH_CA_FILE: file('other.pem', otherAuthority.certificate) }),
      /OPENSEARCH_CA_FILE/,
    ],
    ['an expired certificate', () => at(expired), /has expired/],
    ['another host name', () => at(good, '127.0.0.1'), /another host name/],
    ['a missing client certificate', () => at(mutual), /OPENSEARCH_CERT_FILE/],
    [
      'https where it is not spoken',
      () => ({ OPENSEARCH_URL: testEngines().opensearchUrl.replace('http:', 'https:') }),
      /does not speak TLS/,
    ],
  ])('%s is reported with the setting to change, without waiting', async (_, environment, sentence) => {
    const openSearch = openSearchWith(environment());
    const failure: unknown = await waitForOpenSearch(openSearch, 60_000, () => {}).catch((error: unknown) => error);
    expect(openSearchHint(failure)).toMatch(sentence);
    await openSearch.close();
  });
});
