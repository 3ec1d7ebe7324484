import { inheritedEnvironment } from '@carbon/config';
import { DownloadError, fetchPgbouncer, type PackageSource } from '@carbon/local';

/** The source of PgBouncer, and the function that reports why it is missing. */
export interface PgbouncerSearch extends PackageSource {
  readonly say?: (sentence: string) => void;
}

/**
 * Returns jest's `describe` for tests that need PgBouncer. If PgBouncer cannot be downloaded, reports why and returns
 * `describe.skip`. With CI=true it rejects instead, because skipped tests would not be noticed there.
 */
export async function describeWithPgbouncer<Describe extends { readonly skip: Describe }>(
  describe: Describe,
  { say = toStandardError, ...source }: PgbouncerSearch = {},
): Promise<Describe> {
  const { CI } = source.environment ?? inheritedEnvironment();
  try {
    await fetchPgbouncer(source);
    return describe;
  } catch (error) {
    if (!(error instanceof DownloadError) || CI === 'true') throw error;
    say(`Tests are skipped: ${error.message}`);
    return describe.skip;
  }
}

function toStandardError(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
}
