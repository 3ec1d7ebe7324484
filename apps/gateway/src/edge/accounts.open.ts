import { Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { Accounts } from './accounts.js';

/** The account everybody has while the gateway is open. */
export const OPEN_ACCOUNT = 'default';

/** Open mode: no key is asked for, and every caller has the same account. Never in production: see the settings. */
export class OpenAccounts extends Accounts implements OnApplicationBootstrap {
  private readonly logger = new Logger('edge');

  onApplicationBootstrap(): void {
    this.logger.warn(
      `OPEN MODE: nobody is asked for a key, and every caller has the account "${OPEN_ACCOUNT}". ` +
        'Whoever reaches this port can create, read and list all offsets.',
    );
  }

  of(): string {
    return OPEN_ACCOUNT;
  }
}
