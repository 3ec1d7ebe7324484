/**
 * The oldest PostgreSQL that will do, as `server_version_num`: 18 is the first in which RETURNING tells what a row was
 * before (`old.`, https://www.postgresql.org/docs/18/dml-returning.html). An older one takes every migration, and then
 * refuses each statement that completes or announces an offset.
 */
const LEAST = 180_000;

/** What asks for it. */
export const SERVER_VERSION = `SELECT current_setting('server_version_num')::integer AS version`;

/** The server is older than this service needs; it stays so until somebody replaces it. */
export class ServerTooOld extends Error {
  override readonly name = 'ServerTooOld';
}

/** @param version what SERVER_VERSION gave, such as 170006 for 17.6 @throws ServerTooOld */
export function requireServer(version: number): void {
  if (version >= LEAST) return;
  const name = `${Math.trunc(version / 10_000)}.${version % 10_000}`;
  throw new ServerTooOld(
    `The database at DATABASE_URL is PostgreSQL ${name}; PostgreSQL 18 or newer is needed. Upgrade that server, or name another.`,
  );
}
