import type { Asset } from '@carbon/contracts';

/** An asset with little in it. */
export function asset(id: string, more: Partial<Asset> = {}): Asset {
  const type = id.startsWith('pool_') ? 'POOL' : 'PROJECT';
  return { id, type, source: 'TOUCAN', name: id, ...more };
}
