import { printableLines } from '@carbon/terminal';

/** Keys of the service as they are written. */
const KEY = /\bcl_live_\w+/g;

/** What commander says of wrong arguments repeats them. A key that somebody typed there is not repeated. */
export function withoutKeys(text: string): string {
  return printableLines(text).replace(KEY, 'cl_live_…');
}
