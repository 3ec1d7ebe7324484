import 'reflect-metadata';
import { loadConfigOrExit } from '@carbon/config';
import { migrationSettings } from '../offsets.config.js';
import { DatabaseAway, migrate } from './run-migrations.js';

/** The database could not be reached; a retry may succeed (EX_TEMPFAIL of sysexits.h). */
const EXIT_UNREACHABLE = 75;
const EXIT_FAILED = 1;

/** Migrates the database to the newest schema. Exit codes: 0 done, 1 a migration failed, 75 no database, 78 invalid settings. */
async function run(): Promise<void> {
  const { DATABASE_URL, DATABASE_MIGRATION_URL } = loadConfigOrExit(migrationSettings);
  try {
    const url = DATABASE_MIGRATION_URL ?? DATABASE_URL;
    const done = await migrate(url, { onWait: (sentence) => process.stderr.write(`${sentence}\n`) });
    process.stderr.write(done.length === 0 ? 'The database is up to date.\n' : `Migrated: ${done.join(', ')}.\n`);
  } catch (error) {
    process.stderr.write(`The database was not migrated: ${error instanceof Error ? error.message : error}\n`);
    process.exitCode = error instanceof DatabaseAway ? EXIT_UNREACHABLE : EXIT_FAILED;
  }
}

await run();
