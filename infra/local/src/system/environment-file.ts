import { join } from 'node:path';
import { writePrivately } from '../write-privately.js';

/**
 * Writes `environment` into the system's folder: where everything answers and the secrets, one `NAME=value` a line. The
 * commands of the checkout read it, so that beside `npm start` they need no setting.
 */
export function writeEnvironmentFile(dir: string, values: Readonly<Record<string, string>>): string {
  const lines = Object.entries(values).map(([name, value]) => `${name}=${quoted(value)}`);
  const file = join(dir, 'environment');
  writePrivately(file, `# Written by npm start; holds secrets.\n${lines.join('\n')}\n`);
  return file;
}

/** Quoted where a bare value would be read otherwise: a # begins a comment, blanks at the ends are lost. */
function quoted(value: string): string {
  return /[#\s'"]/.test(value) ? `"${value}"` : value;
}
