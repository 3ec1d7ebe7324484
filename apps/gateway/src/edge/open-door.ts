import { SCOPES } from '@carbon/auth';
import { Logger, type OnApplicationBootstrap } from '@nestjs/common';
import type { Caller } from './caller.js';
import { Doorkeeper } from './doorkeeper.js';

/** The account everybody has while the gateway is open. */
export const OPEN_ACCOUNT = 'default';

const EVERYBODY: Caller = { account: OPEN_ACCOUNT, scopes: new Set(SCOPES) };

/** Open mode: no key is asked for, and every caller has the same account. Never in production: see the settings. */
export class OpenDoor extends Doorkeeper implements OnApplicationBootstrap {
  private readonly logger = new Logger('edge');

  onApplicationBootstrap(): void {
    this.logger.warn(
      `OPEN MODE: nobody is asked for a key, and every caller has the account "${OPEN_ACCOUNT}". ` +
        'Whoever reaches this port can create, read and list all offsets.',
    );
  }

  identify(): Caller {
    return EVERYBODY;
  }
}
