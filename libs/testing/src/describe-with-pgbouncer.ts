import { inheritedEnvironment } from '@carbon/config';
import { fetchPgbouncer, NotFetched, type PackageSource } from '@carbon/local';

/** Where PgBouncer is looked for, and who is told that it is missing. */
export interface PgbouncerSearch extends PackageSource {
  readonly say?: (sentence: string) => void;
}

/**
 * Returns jest's `describe` for tests that need PgBouncer. Where PgBouncer cannot be fetched, says why and returns what
 * skips them. With CI=true it rejects instead, because there nobody would notice.
 */
export async function whereThereIsPgbouncer<Describe extends { readonly skip: Describe }>(
  describe: Describe,
  { say = toStandardError, ...source }: PgbouncerSearch = {},
): Promise<Describe> {
  const { CI } = source.environment ?? inheritedEnvironment();
  try {
    await fetchPgbouncer(source);
    return describe;
  } catch (error) {
    if (!(error instanceof NotFetched) || CI === 'true') throw error;
    say(`Tests are skipped: ${error.message}`);
    return describe.skip;
  }
}

function toStandardError(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
}
