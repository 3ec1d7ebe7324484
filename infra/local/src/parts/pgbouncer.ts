import { chmodSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Pgbouncer } from '../engines/debian-packages.js';
import { changeOwnerOfFolders, type EngineUser, ownedFolder, reachableProgram } from '../engines/engine-user.js';
import { READINESS_TIMEOUTS, withPostgres } from '../postgres/with-postgres.js';
import type { Certificate } from '../secured/certificate.js';
import type { ProcessPart } from '../supervise/part.js';

/** The options of a PgBouncer in transaction mode. */
export interface PgbouncerOptions {
  /** The folder that contains its own. */
  readonly dir: string;
  readonly pgbouncer: Pgbouncer;
  readonly user: EngineUser | undefined;
  readonly port: number;
  /** A database of the server behind it, with user and password. All databases of that server are reachable. */
  readonly databaseUrl: string;
  /** TLS on both sides: its certificate for clients, and the authority to verify the server. */
  readonly tls?: Certificate & { readonly authority: string };
  readonly environment: Readonly<Record<string, string>>;
}

/** Returns PgBouncer in transaction mode in front of one PostgreSQL. */
export function pgbouncerPart(options: PgbouncerOptions): ProcessPart {
  return {
    kind: 'process',
    name: 'pgbouncer',
    after: [],
    prepare: async () => {
      const home = await reachableProgram(options.pgbouncer.home, options.pgbouncer.program, options.user);
      const own = ownedFolder(options.dir, 'pgbouncer', options.user);
      writeSettings(options, own);
      changeOwnerOfFolders([own], options.user);
      return {
        file: join(home, options.pgbouncer.program),
        args: [join(own, 'pgbouncer.ini')],
        cwd: own,
        env: {
          ...options.environment,
          LD_LIBRARY_PATH: options.pgbouncer.libraries.map((folder) => join(home, folder)).join(delimiter),
        },
        runAs: options.user,
        stopSignal: 'SIGTERM',
        stopWithinMs: 5_000,
      };
    },
    ready: () => ready(options),
    readyWithinMs: 60_000,
  };
}

/** Returns the address of the same database through the pooler. */
export function pooledUrl(databaseUrl: string, port: number, query = ''): string {
  const url = new URL(databaseUrl);
  url.port = String(port);
  url.search = query;
  return url.href;
}

function writeSettings(options: PgbouncerOptions, own: string): void {
  const { hostname, port, username, password } = new URL(options.databaseUrl);
  const lines = [
    '[databases]',
    `* = host=${hostname} port=${port}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${options.port}`,
    'unix_socket_dir =',
    'auth_type = scram-sha-256',
    `auth_file = ${join(own, 'users')}`,
    'pool_mode = transaction',
    'default_pool_size = 20',
    'max_client_conn = 500',
    ...tlsLines(options, own),
  ];
  writeFileSync(join(own, 'pgbouncer.ini'), `${lines.join('\n')}\n`);
  writeFileSync(join(own, 'users'), `"${decodeURIComponent(username)}" "${decodeURIComponent(password)}"\n`);
  chmodSync(join(own, 'users'), 0o600);
}

function tlsLines({ tls }: PgbouncerOptions, own: string): string[] {
  if (tls === undefined) return [];
  const files = { 'server.pem': tls.certificate, 'server.key': tls.key, 'ca.pem': tls.authority };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(own, name), content, { mode: 0o600 });
  return [
    'client_tls_sslmode = require',
    `client_tls_cert_file = ${join(own, 'server.pem')}`,
    `client_tls_key_file = ${join(own, 'server.key')}`,
    'server_tls_sslmode = verify-full',
    `server_tls_ca_file = ${join(own, 'ca.pem')}`,
  ];
}

async function ready({ databaseUrl, port, tls }: PgbouncerOptions): Promise<boolean> {
  // Its clients verify the certificate; this only checks that it serves.
  const how = { ...READINESS_TIMEOUTS, ...(tls && { ssl: { ca: tls.authority } }) };
  await withPostgres(pooledUrl(databaseUrl, port), (client) => client.query('SELECT 1'), how);
  return true;
}
