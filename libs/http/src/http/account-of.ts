import type { IncomingMessage } from 'node:http';
import { accountSchema } from '@carbon/contracts';
import { invalidRequest } from '../api-error.js';
import { singleHeader } from './single-header.js';

/**
 * Whose question an app behind the gateway is asked: the one `X-Account` header. There is no account without it, so that
 * nobody who forgets it sees another's. It is believed because `ServiceAuthenticator` has let nobody in but the gateway. Throws `invalid_request` (`invalid_header`, `duplicate_header`).
 */
export function accountOf(request: Pick<IncomingMessage, 'rawHeaders'>): string {
  const account = accountSchema.safeParse(singleHeader(request, 'x-account'));
  if (account.success) return account.data;
  const detail = 'must name the account that asks; this service is asked by the gateway, which sets it';
  throw invalidRequest([{ field: 'x-account', code: 'invalid_header', detail }]);
}
