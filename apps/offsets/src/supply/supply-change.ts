import { type Asset, gramsFromCredits, microsFromUsd } from '@carbon/contracts';
import type { Message, RejectedMessage } from '@carbon/messaging';

/** What one message says of an asset's supply. */
export interface SupplyChange {
  readonly asset: string;
  /** The message's position + 1. */
  readonly version: bigint;
  /** Undefined: withdrawn. */
  readonly facts: SupplyFacts | undefined;
}

/** What the supply keeps of an asset; undefined is unknown, and an asset without price or issued supply is not retired from. */
export interface SupplyFacts {
  readonly type: Asset['type'];
  readonly active: boolean;
  readonly priceMicros: bigint | undefined;
  readonly rating: number | undefined;
  readonly ticker: string | undefined;
  readonly address: string | undefined;
  /** Grams put into the library so far. */
  readonly issued: bigint | undefined;
}

/** The messages whose key is not the id of their asset: nobody can tell which of the two is meant. */
export function straysOf(messages: readonly Message<Asset>[]): RejectedMessage[] {
  return messages
    .filter(isStray)
    .map(({ position }) => ({ position, code: 'key_mismatch', detail: 'The key is another id.' }));
}

/** The last word of a batch on each of its assets, in the order of their ids; strays have no say. */
export function changesOf(messages: readonly Message<Asset>[]): SupplyChange[] {
  const latest = new Map(messages.filter((message) => !isStray(message)).map((message) => [message.key, message]));
  return [...latest.values()].map(changeOf).sort((a, b) => (a.asset < b.asset ? -1 : 1));
}

function isStray({ key, value }: Message<Asset>): boolean {
  return value !== null && value.id !== key;
}

function changeOf({ key, value, position }: Message<Asset>): SupplyChange {
  return { asset: key, version: position + 1n, facts: value === null ? undefined : factsOf(value) };
}

function factsOf({ type, active, price, rating, ticker, address, issued }: Asset): SupplyFacts {
  return {
    ...{ type, rating, ticker, address },
    active: active === true,
    priceMicros: price === undefined ? undefined : microsFromUsd(price),
    issued: issued === undefined ? undefined : gramsFromCredits(issued),
  };
}
