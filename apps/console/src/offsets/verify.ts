import type { Offset, Receipt } from '@carbon/client';
// @boundaries-ignore the program that the documentation hands out is the one that verifies here
import { verify } from '../../../../docs/verify-receipt.mjs';

/** Returns why a receipt does not hold for its offset; undefined if it holds. */
export async function reasonAgainst(receipt: Receipt, offset: Offset): Promise<string | undefined> {
  const reason: unknown = await verify(receipt, offset);
  return reason === undefined ? undefined : String(reason);
}
