import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fetchPgbouncer } from '../engines/debian-packages.js';
import { plainEnvironment, postgresHome } from '../engines/engine-parts.js';
import { changeOwnerOfFolders, engineUser, ownedFolder } from '../engines/engine-user.js';
import { pgbouncerPart, pooledUrl } from '../parts/pgbouncer.js';
import { postgresPart, postgresUrl } from '../parts/postgres.js';
import { freePort } from '../ports.js';
import { startParts } from '../supervise/running-parts.js';
import type { Certificate, CertificateAuthority } from './certificate.js';

const PASSWORD = 'a-password-for-tests';

/** A running PostgreSQL server that accepts TLS. */
export interface SecuredPostgres {
  /** Returns the owner's URL, with a query string and a host name or address of this machine. */
  url(query?: string, host?: string): string;
  /** Replaces the server's certificate files. The server uses them after it reloads its configuration. */
  useCertificate(certificate: Certificate): void;
  stop(): Promise<void>;
}

/** A running PgBouncer. */
export interface RunningPgbouncer {
  /** Returns the URL of the same database through PgBouncer. */
  url(databaseUrl: string, query?: string): string;
  stop(): Promise<void>;
}

/**
 * Starts PostgreSQL with TLS in its own folder. Its pg_hba.conf has rules for two roles that the caller may create:
 * `tls_only` must use TLS, and `certified` must present a client certificate.
 */
export async function startSecuredPostgres(dir: string, authority: CertificateAuthority): Promise<SecuredPostgres> {
  const user = engineUser();
  const own = ownedFolder(dir, 'postgres', user);
  const useCertificate = ({ certificate, key }: Certificate) => {
    writeFileSync(join(own, 'server.crt'), certificate);
    writeFileSync(join(own, 'server.key'), key, { mode: 0o600 });
    changeOwnerOfFolders([own], user);
  };
  writeFileSync(join(own, 'ca.pem'), authority.certificate);
  writeFileSync(join(own, 'hba'), HBA);
  useCertificate(authority.issue({ name: 'postgres', hosts: ['localhost'] }));
  const port = await freePort();
  const server = postgresPart({
    dir,
    home: await postgresHome(),
    user,
    port,
    password: PASSWORD,
    settings: [
      // Every address of the name in its certificate, because PgBouncer connects to the first one that it resolves.
      'listen_addresses=localhost',
      'ssl=on',
      `ssl_cert_file=${join(own, 'server.crt')}`,
      `ssl_key_file=${join(own, 'server.key')}`,
      `ssl_ca_file=${join(own, 'ca.pem')}`,
      `hba_file=${join(own, 'hba')}`,
    ],
    environment: plainEnvironment(),
  });
  const running = await startParts(dir, [server]);
  const url = (query = '', host = 'localhost') => {
    const address = new URL(postgresUrl({ port, password: PASSWORD }));
    address.hostname = host;
    address.search = query;
    return address.href;
  };
  return { url, useCertificate, stop: () => running.stop() };
}

const HBA = `hostnossl all tls_only all reject
hostssl all certified all cert
host all all all scram-sha-256
`;

/** Starts PgBouncer in transaction mode in front of PostgreSQL; with an authority, over TLS on both sides. */
export async function startPgbouncer(
  dir: string,
  databaseUrl: string,
  authority?: CertificateAuthority,
): Promise<RunningPgbouncer> {
  const port = await freePort();
  const issued = authority?.issue({ name: 'pgbouncer', hosts: ['localhost', '127.0.0.1'] });
  const pooler = pgbouncerPart({
    dir,
    pgbouncer: await fetchPgbouncer(),
    user: engineUser(),
    port,
    databaseUrl,
    ...(authority && issued && { tls: { ...issued, authority: authority.certificate } }),
    environment: plainEnvironment(),
  });
  const running = await startParts(dir, [pooler]);
  return { url: (database, query) => pooledUrl(database, port, query), stop: () => running.stop() };
}
