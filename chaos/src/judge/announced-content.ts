import { creditsFromGrams, offsetCompletedV1, offsetFailedV1, offsetView, usdFromMicros } from '@carbon/contracts';
import { z } from 'zod';

const event = z.union([offsetCompletedV1, offsetFailedV1]);

/** The content of an event, in the form of the two other records. */
export interface Content {
  /** The response of `GET /v1/offsets`, as text that is equal if they agree. */
  readonly shown: string;
  /** The ledger entries: asset, sequence and hash, as text. */
  readonly entries: readonly string[];
  /** The retirement in an external registry: asset, grams and price in micro-dollars, as text. */
  readonly lines: readonly string[];
}

/** @param text the data of an `offset.completed` or `offset.failed` */
export function announcedContent(text: string): Content {
  const read = event.parse(JSON.parse(text));
  const { id, kgCO2e, customerRef, estimateId, createdAt } = read;
  const asked = { id, kgCO2e, customerRef, estimateId, createdAt };
  if (!('retirements' in read)) {
    const { code, detail, failedAt } = read;
    const shown = inOrder({ ...asked, retirements: [], failure: { code, detail }, failedAt });
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
    shown: inOrder({ ...asked, retirements: lines, cost, completedAt }),
    entries: retirements.map(({ asset, sequence, hash }) => `${asset} ${sequence} ${hash}`),
    lines: retirements.map(({ asset, grams, priceMicros }) => `${asset} ${grams} ${priceMicros}`),
  };
}

/** Returns the same of a client's view. @param text the body of `GET /v1/offsets?id=` of an offset that has ended */
export function shownContent(text: string): string {
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
