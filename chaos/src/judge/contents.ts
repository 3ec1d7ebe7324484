import type { Observer } from '../load/observer.js';
import type { ChaosSystem } from '../system/chaos-system.js';
import { announcedContent, shownContent } from './announced-content.js';
import type { Findings } from './counts.js';
import type { Announced } from './kafka-events.js';

interface Entry {
  readonly offset_id: string;
  readonly asset_id: string;
  readonly sequence: string;
  readonly hash: string;
}

const ENTRIES = `SELECT offset_id, asset_id, sequence::text, encode(hash, 'hex') AS hash FROM ledger`;

/** Compares each event with the last view of clients, with the ledger, and with the external registry's ledger. */
export async function judgeContents(
  findings: Findings,
  announced: ReadonlyMap<string, Announced>,
  { seen }: Observer,
  system: ChaosSystem,
): Promise<void> {
  const ledger = Map.groupBy(await system.rows<Entry>(ENTRIES), ({ offset_id }) => offset_id);
  for (const id of ledger.keys())
    if (!announced.has(id)) findings.add('conservation', `${id} is in the ledger and was not announced`);
  for (const [id, { events }] of announced) {
    const [text = ''] = [...events.values()].flatMap((versions) => [...versions]);
    const content = announcedContent(text);
    const entries = ledger.get(id)?.map(({ asset_id, sequence, hash }) => `${asset_id} ${sequence} ${hash}`) ?? [];
    if (entries.toSorted().join() !== content.entries.toSorted().join())
      findings.add('conservation', `${id} was announced with ${content.entries}, and the ledger has ${entries}`);
    const retired = system.registry?.ledger.get(id)?.lines;
    const lines = retired?.map(({ asset, grams, priceMicros }) => `${asset} ${grams} ${priceMicros}`) ?? content.lines;
    if (lines.toSorted().join() !== content.lines.toSorted().join())
      findings.add('conservation', `${id} was announced with ${content.lines}, and the registry retired ${lines}`);
    const view = seen.get(id)?.view;
    if (view !== undefined && shownContent(view) !== content.shown)
      findings.add('changed', `${id} was announced as ${content.shown} and is shown as ${view}`);
  }
}
