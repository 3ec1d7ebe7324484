import { RequestError } from '@carbon/http';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Caller } from '../caller.js';
import { Doorkeeper } from '../doorkeeper.js';
import { KeyFileInForce } from './key-file.js';
import { presentedKey } from './presented-key.js';

/** One sentence for all, so that nobody learns which of their guesses came near. */
const SENTENCE =
  'Send a valid key, once, as "Authorization: Bearer <key>" or as "X-API-Key: <key>". It may be mistyped, expired or revoked.';

/** What is looked for where nothing is shown, so that it takes as long. */
const NO_KEY = '';

/** Takes a caller for whom their key says. Nothing is remembered from one request to the next. */
@Injectable()
export class KeyedDoor extends Doorkeeper {
  constructor(private readonly inForce: KeyFileInForce) {
    super();
  }

  identify({ raw }: Pick<FastifyRequest, 'raw'>): Caller {
    const key = this.inForce.keys.holderOf(presentedKey(raw) ?? NO_KEY, Date.now());
    if (key === undefined) throw new RequestError('unauthorized', SENTENCE);
    return { account: key.account, scopes: key.scopes, key };
  }
}
