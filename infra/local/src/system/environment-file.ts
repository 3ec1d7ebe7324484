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

/**
 * Quoted where a bare value would be read otherwise: a # begins a comment, blanks at the ends are lost. A quote that stands in
 * the value would end it, and within double quotes \n is a line feed.
 */
function quoted(value: string): string {
  if (!/[#\s'"`]/.test(value)) return value;
  const quote = ["'", '`', '"'].find((candidate) => !value.includes(candidate)) ?? '"';
  return `${quote}${value}${quote}`;
}
