import { requireServer, ServerTooOld } from './server-version.js';

describe('the version of the database server', () => {
  it.each([180_000, 180_004, 190_000])('%i will do', (version) => {
    expect(() => requireServer(version)).not.toThrow();
  });

  it('is refused when it is too old, with which one is there and which is needed', () => {
    expect(() => requireServer(170_006)).toThrow(ServerTooOld);
    expect(() => requireServer(170_006)).toThrow(
      'The database at DATABASE_URL is PostgreSQL 17.6; PostgreSQL 18 or newer is needed. Upgrade that server, or name another.',
    );
  });
});
