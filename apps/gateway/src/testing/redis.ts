import { type RunningEngines, startEngines, type TemporaryDir, temporaryDir } from '@carbon/local';
import { Logger } from '@nestjs/common';

/** A Redis server for one test file. */
export interface TestRedis {
  readonly url: string;
  /** Its folder, which is removed with it. */
  readonly folder: string;
  readonly part: ReturnType<RunningEngines['part']>;
}

/** Starts a Redis before the tests of the file, and stops it after them. Turns off Nest's logger. */
export function useRedis(): TestRedis {
  let folder: TemporaryDir | undefined;
  let engines: RunningEngines | undefined;
  beforeAll(async () => {
    Logger.overrideLogger(false);
    folder = await temporaryDir();
    engines = await startEngines({ dir: folder.dir, which: ['redis'] });
  });
  afterAll(async () => {
    await engines?.stop();
    folder?.remove();
  });
  const started = () => {
    if (folder === undefined || engines === undefined)
      throw new Error('Redis is not running: use it only inside a test');
    return { folder, engines };
  };
  return {
    get url() {
      return started().engines.addresses.redisUrl ?? '';
    },
    get folder() {
      return started().folder.dir;
    },
    get part() {
      return started().engines.part('redis');
    },
  };
}
