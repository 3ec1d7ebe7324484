import { Ids } from '@carbon/contracts';
import { TransientError } from '@carbon/http';
import { Injectable } from '@nestjs/common';
import type { Visit } from '../../edge/admission-step.js';
import type { Caller } from '../../edge/caller.js';
import { gather } from '../../requests/gather.js';
import { idempotencyKey } from './idempotency-key.js';

/** What a new offset is answered with when it is turned away before its body is read: like one that Kafka did not take. */
@Injectable()
export class TooBusy {
  constructor(private readonly ids: Ids) {}

  /** The fault `not_accepted`, with a `retryKey` as always; a key that has not the form is no key to come back with. */
  fault({ request, caller }: Visit): TransientError {
    const retryKey = gather([], () => idempotencyKey(request.raw)) ?? this.mint(caller);
    const detail = 'Nothing was recorded. Send the same body again, with retryKey as the Idempotency-Key.';
    return new TransientError('not_accepted', detail, { members: { retryKey } });
  }

  private mint(caller: Caller | undefined): string {
    if (caller === undefined) throw new Error('Whoever is turned away here was let in by every step before');
    return this.ids.mint('off', caller.account, Date.now());
  }
}
