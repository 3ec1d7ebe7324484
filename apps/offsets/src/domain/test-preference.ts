import { DEFAULT_PREFERENCE, Preference } from './preference.js';

/** A preference, the default one where nothing is said. */
export function preference(text: string = DEFAULT_PREFERENCE): Preference {
  const read = Preference.read(text);
  if (!read) throw new Error(`${text} is no preference.`);
  return read;
}
