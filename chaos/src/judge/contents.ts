import { creditsFromGrams, offsetCompletedV1, offsetFailedV1, offsetView, usdFromMicros } from '@carbon/contracts';
import { z } from 'zod';
import type { Observer } from '../load/observer.js';
import type { ChaosSystem } from '../system/chaos-system.js';
import type { Findings } from './counts.js';
import type { PublishedEvents } from './kafka-events.js';

const event = z.union([offsetCompletedV1, offsetFailedV1]);

/** The content of an event, in the form of the two other records. */
interface Content {
  /** The response of `GET /v1/offsets`, as text that is equal if they agree. */
  readonly shown: string;
  /** The ledger entries: asset, sequence and hash, as text. */
  readonly entries: readonly string[];
  /** The retirement in an external registry: asset, grams and price in micro-dollars, as text. */
  readonly lines: readonly string[];
}

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
  published: ReadonlyMap<string, PublishedEvents>,
  { seen }: Observer,
  system: ChaosSystem,
): Promise<void> {
  const ledger = Map.groupBy(await system.rows<Entry>(ENTRIES), ({ offset_id }) => offset_id);
  for (const id of ledger.keys())
    if (!published.has(id)) findings.add('conservation', `${id} is in the ledger and was not published`);
  for (const [id, { events }] of published) {
    const [text = ''] = [...events.values()].flatMap((versions) => [...versions]);
    const content = eventContent(text);
    const entries = ledger.get(id)?.map(({ asset_id, sequence, hash }) => `${asset_id} ${sequence} ${hash}`) ?? [];
    if (entries.toSorted().join() !== content.entries.toSorted().join())
      findings.add('conservation', `${id} was published with ${content.entries}, and the ledger has ${entries}`);
    const retired = system.registry?.ledger.get(id)?.lines;
    const lines = retired?.map(({ asset, grams, priceMicros }) => `${asset} ${grams} ${priceMicros}`) ?? content.lines;
    if (lines.toSorted().join() !== content.lines.toSorted().join())
      findings.add('conservation', `${id} was published with ${content.lines}, and the registry retired ${lines}`);
    const view = seen.get(id)?.view;
    if (view !== undefined && shownContent(view) !== content.shown)
      findings.add('changed', `${id} was published as ${content.shown} and is shown as ${view}`);
  }
}

/** @param text the data of an `offset.completed` or `offset.failed` */
function eventContent(text: string): Content {
  const read = event.parse(JSON.parse(text));
  const { id, kgCO2e, customerRef, estimateId, createdAt } = read;
  const fields = { id, kgCO2e, customerRef, estimateId, createdAt };
  if (!('retirements' in read)) {
    const { code, detail, failedAt } = read;
    const shown = inOrder({ ...fields, retirements: [], failure: { code, detail }, failedAt });
    return { shown, entries: [], lines: [] };
  }
  const { retirements, completedAt } = read;
  const lines = retirements.map(({ asset, grams, priceMicros, costMicros }) => ({
    asset,
    credits: creditsFromGrams(BigInt(grams)),
    price: usdFromMicros(BigInt(priceMicros)),
    cost: usdFromMicros(BigInt(costMicros)),
  }));
  const cost = usdFromMicros(BigInt(read.costMicros));
  return {
    shown: inOrder({ ...fields, retirements: lines, cost, completedAt }),
    entries: retirements.map(({ asset, sequence, hash }) => `${asset} ${sequence} ${hash}`),
    lines: retirements.map(({ asset, grams, priceMicros }) => `${asset} ${grams} ${priceMicros}`),
  };
}

/** Returns the same of a client's view. @param text the body of `GET /v1/offsets?id=` of an offset that has ended */
function shownContent(text: string): string {
  const { id, kgCO2e, customerRef, estimateId, createdAt, completedAt, failedAt, failure, cost, retirements } =
    offsetView.parse(JSON.parse(text));
  const lines = retirements.map(({ asset, credits, price, cost }) => ({ asset, credits, price, cost }));
  const common = { id, kgCO2e, customerRef, estimateId, createdAt, retirements: lines };
  return failure === undefined ? inOrder({ ...common, cost, completedAt }) : inOrder({ ...common, failure, failedAt });
}

/** Undefined members are omitted, as in JSON. */
function inOrder<T extends { readonly retirements: readonly { readonly asset: string }[] }>(content: T): string {
  const retirements = content.retirements.toSorted((one, other) => (one.asset < other.asset ? -1 : 1));
  const members = Object.entries({ ...content, retirements });
  return JSON.stringify(Object.fromEntries(members.sort(([one], [other]) => (one < other ? -1 : 1))));
}
