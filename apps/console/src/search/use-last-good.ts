import type { AssetKind } from '@carbon/client';
import { useRef } from 'react';

/** Returns data or, while there are none, the last of the same kind of asset: criteria are invalid at many keys. */
export function useLastGood<Data>(kind: AssetKind, data: Data | undefined): Data | undefined {
  const last = useRef<{ readonly kind: AssetKind; readonly data: Data }>(undefined);
  if (data !== undefined) last.current = { kind, data };
  return last.current?.kind === kind ? last.current.data : undefined;
}
