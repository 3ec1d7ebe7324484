import { join } from 'node:path';
import type { RunningSystem } from '../start-system.js';

/** What a newcomer needs once everything is ready: the address, three things to try, where logs and data lie. */
export function welcome({ urls, dir }: RunningSystem): string {
  const base = urls.gateway.replace('127.0.0.1', 'localhost');
  return `
Ready: ${base}

Try:
  curl -si ${base}/v1/offsets -H 'content-type: application/json' -d '{"kgCO2e": 1234.5, "customerRef": "u-1"}'
  curl -s ${base}/v1/offsets
  curl -sG ${base}/v1/assets/pools --data-urlencode 'criteria=source: TOUCAN and ticker in (BCT, NCT)' --data-urlencode 'fullTextSearch='

Logs: ${join(dir, 'logs')}
Data: ${join(dir, 'data')} (kept; npm run reset empties it)
Ctrl-C stops everything.
`;
}
