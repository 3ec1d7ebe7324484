/** A key of the service as it is written, with what was mistyped in it, and the secret of one whose beginning is lost. */
const KEY = /\bcl_live_[^\s'";,]+|(?<=_)[0-9A-Za-z]{43,}/g;

/** A text for a terminal without the keys in it: what is said of wrong arguments repeats them. */
export function withoutKeys(text: string): string {
  return text.replace(KEY, (key) => (key.startsWith('cl_live_') ? 'cl_live_…' : '…'));
}
