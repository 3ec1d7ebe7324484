import { type RunningEngines, startEngines, temporaryDir } from '@carbon/local';
import { duringTests } from '@carbon/testing';
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
  return duringTests(
    async () => {
      Logger.overrideLogger(false);
      const { dir, remove } = await temporaryDir();
      const { addresses, part, stop } = await startEngines({ dir, which: ['redis'] }).catch(async (error: unknown) => {
        await remove();
        throw error;
      });
      const close = () => stop().then(remove);
      return { url: addresses.redisUrl ?? '', folder: dir, part: part('redis'), close };
    },
    ({ close }) => close(),
  );
}
