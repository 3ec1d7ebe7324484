import { inheritedEnvironment } from '@carbon/config';
import { DownloadError, fetchPgbouncer } from '@carbon/local';

/**
 * Returns jest's `describe` for tests that need PgBouncer. If PgBouncer cannot be downloaded, reports why and returns
 * `describe.skip`. With CI=true it rejects instead, because skipped tests would not be noticed there.
 */
export async function describeWithPgbouncer<Describe extends { readonly skip: Describe }>(
  describe: Describe,
): Promise<Describe> {
  try {
    await fetchPgbouncer();
    return describe;
  } catch (error) {
    if (!(error instanceof DownloadError) || inheritedEnvironment().CI === 'true') throw error;
    process.stderr.write(`Tests are skipped: ${error.message}\n`);
    return describe.skip;
  }
}
