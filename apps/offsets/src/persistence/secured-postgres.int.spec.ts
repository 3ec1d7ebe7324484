import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CertificateAuthority, type SecuredPostgres, startSecuredPostgres, temporaryDir } from '@carbon/local';
import { eventually } from '@carbon/testing';
import pg from 'pg';
import { audit } from '../cli/audit.js';
import { inSnapshot } from '../cli/snapshot.js';
import { openDatabase } from '../testing/open-database.js';
import { databaseHint } from './database-errors.js';
import { migrate } from './run-migrations.js';

const PASSWORD = 'hunter2-for-tests';

let folder: Awaited<ReturnType<typeof temporaryDir>>;
let server: SecuredPostgres;
let owner: pg.Client;
const authority = new CertificateAuthority();
const otherAuthority = new CertificateAuthority('Another authority');

function file(name: string, content: string): string {
  const path = join(folder.dir, name);
  writeFileSync(path, content);
  return path;
}

const verified = () => `sslmode=verify-full&sslrootcert=${file('ca.pem', authority.certificate)}`;

beforeAll(async () => {
  folder = await temporaryDir();
  server = await startSecuredPostgres(folder.dir, authority);
  owner = new pg.Client({ connectionString: server.url(verified()) });
  await owner.connect();
  await owner.query(`CREATE ROLE tls_only LOGIN PASSWORD '${PASSWORD}'`);
  await owner.query('CREATE ROLE certified LOGIN');
});

afterAll(async () => {
  await owner?.end();
  await server?.stop();
  folder?.remove();
});

function as(user: string, url: string): string {
  const changed = new URL(url);
  changed.username = user;
  changed.password = PASSWORD;
  return changed.href;
}

/** Returns whether the connection is encrypted, or the message for an operator. */
async function outcomeOf(url: string): Promise<string> {
  let session: pg.Client | undefined;
  try {
    session = new pg.Client({ connectionString: url, connectionTimeoutMillis: 30_000 });
    session.on('error', () => {});
    await session.connect();
    const { rows } = await session.query('SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()');
    return rows[0].ssl ? 'encrypted' : 'not encrypted';
  } catch (error) {
    return databaseHint(error) ?? `no advice: ${error}`;
  } finally {
    await session?.end().catch(() => {});
  }
}

describe('PostgreSQL over TLS', () => {
  it('is verified in full, by migrations, by both pools of the service, and by the audit', async () => {
    const url = server.url(verified());
    expect((await migrate(url)).length).toBeGreaterThan(0);
    const database = await openDatabase(url);
    const ssl = 'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()';
    expect(await database.query(ssl)).toEqual([{ ssl: true }]);
    expect(await database.urgent(ssl)).toEqual([{ ssl: true }]);
    await database.onApplicationShutdown();
    expect(await inSnapshot(url, audit)).toMatchObject({ violations: [] });
  });

  it('accepts a client certificate', async () => {
    const { certificate, key } = authority.issue({ name: 'certified' });
    const files = `sslcert=${file('client.pem', certificate)}&sslkey=${file('client.key', key)}`;
    expect(await outcomeOf(as('certified', server.url(`${verified()}&${files}`)))).toBe('encrypted');
  });

  it.each(['require', 'verify-ca', 'prefer'])('sslmode=%s verifies the server like verify-full', async (mode) => {
    expect(await outcomeOf(server.url(`sslmode=${mode}`))).toMatch(/signed by an untrusted authority/);
    expect(await outcomeOf(server.url(verified().replace('verify-full', mode)))).toBe('encrypted');
  });
});

describe('a wrong setting is reported with the setting to change:', () => {
  it.each<[string, () => string, RegExp]>([
    [
      'an unknown authority',
      () => server.url(`sslmode=verify-full&sslrootcert=${file('other.pem', otherAuthority.certificate)}`),
      /sslrootcert/,
    ],
    ['another host name', () => server.url(verified(), '127.0.0.1'), /another host name/],
    [
      'a wrong password',
      () => as('tls_only', server.url(verified())).replace(PASSWORD, 'wrong'),
      /user or the password/,
    ],
    ['no TLS although it is required', () => as('tls_only', server.url('sslmode=disable')), /set sslmode=verify-full/],
    ['no client certificate', () => as('certified', server.url(verified())), /sslcert and sslkey/],
    ['a file that is not there', () => server.url('sslmode=verify-full&sslrootcert=/nowhere/ca.pem'), /cannot be read/],
    ['no such database', () => server.url(verified()).replace('/carbon?', '/nowhere?'), /no such database/],
  ])('%s', async (_, url, sentence) => {
    expect(await outcomeOf(url())).toMatch(sentence);
  });

  it('an expired certificate, which migrations do not wait for', async () => {
    server.useCertificate(authority.issue({ name: 'postgres', hosts: ['localhost'], days: -1 }));
    await owner.query('SELECT pg_reload_conf()');
    await eventually(async () => expect(await outcomeOf(server.url(verified()))).toMatch(/has expired/));
    await expect(migrate(server.url(verified()))).rejects.toThrow(/cannot be used: .* has expired/);
  });
});
