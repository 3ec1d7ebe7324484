import { join } from 'node:path';
import type { RunningSystem } from '../start-system.js';

/** What a newcomer needs once everything is ready: addresses, who may call, three things to try, where logs and data lie. */
export function welcome({ urls, dir, environment }: RunningSystem): string {
  const base = urls.gateway.replace('127.0.0.1', 'localhost');
  const { API_KEYS_FILE: keyFile } = environment;
  const key = keyFile === undefined ? '' : ` -H "Authorization: Bearer $API_KEY"`;
  return `
Ready: ${base}
Described, to be read and tried out: ${base}/docs
${keyFile === undefined ? 'Open: nobody is asked for a key (docs/keys.md).' : `Keys are asked for, by ${keyFile}.`}

Try:
  curl -si ${base}/v1/offsets${key} -H 'content-type: application/json' -d '{"kgCO2e": 1234.5, "customerRef": "u-1"}'
  curl -s ${base}/v1/offsets${key}
  curl -sG ${base}/v1/assets/pools${key} --data-urlencode 'criteria=source: TOUCAN and ticker in (BCT, NCT)' --data-urlencode 'fullTextSearch='

Logs: ${join(dir, 'logs')}
Data: ${join(dir, 'data')} (kept; npm run reset empties it)
Ctrl-C stops everything.
`;
}
