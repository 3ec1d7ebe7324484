import { env } from 'node:process';

/** Everything that this process was given. */
export const ENVIRONMENT: Readonly<Record<string, string | undefined>> = env;
/** What begins with `test-<run>-` on an engine is removed when the test run ends. */
export const TEST_RUN = env.TEST_RUN ?? 'alone';
/** A role of PostgreSQL that may create databases; undefined where no engine runs. */
export const DATABASE_URL = env.DATABASE_URL;
