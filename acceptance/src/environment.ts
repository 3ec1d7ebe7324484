import { env } from 'node:process';

/** The environment of this process. */
export const ENVIRONMENT: Readonly<Record<string, string | undefined>> = env;
/** The test run removes everything on an engine whose name starts with `test-<run>-`. */
export const TEST_RUN = env.TEST_RUN ?? 'alone';
/** A role of PostgreSQL that may create databases; undefined if no engine runs. */
export const DATABASE_URL = env.DATABASE_URL;
