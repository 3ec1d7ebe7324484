import { canonicalJson } from '@carbon/contracts';
import { versionOf } from '../../ingest/asset-operation.js';

type Document = Readonly<Record<string, unknown>>;

/** How the index differs from the topic in one asset. */
export interface Difference {
  readonly kind: 'missing' | 'surplus' | 'different' | 'ahead';
  readonly id: string;
  /** For people: the fields, or why. */
  readonly detail: string;
}

const LONGEST_VALUE = 60;

/** What is different about a document; undefined on a side where there is none. */
export function differenceOf(
  id: string,
  topic: Document | undefined,
  index: Document | undefined,
): Difference | undefined {
  if (topic === undefined) {
    return (
      index && { kind: 'surplus', id, detail: `the topic has no such asset, the index has ${shortened(index.name)}` }
    );
  }
  if (index === undefined) return { kind: 'missing', id, detail: `the topic has ${shortened(topic.name)}` };
  const names = [...new Set([...Object.keys(topic), ...Object.keys(index)])].sort();
  const fields = names.filter((name) => shown(topic[name]) !== shown(index[name]));
  if (fields.length === 0) return undefined;
  const told = fields.map((name) => `${name} is ${shortened(index[name])}, should be ${shortened(topic[name])}`);
  return { kind: 'different', id, detail: told.join('; ') };
}

/**
 * What is wrong about a document that is as the topic says, but of a version that the topic has not reached: what is
 * published about the asset next would be refused as old.
 */
export function aheadOf(id: string, position: bigint | undefined, version: bigint | undefined): Difference | undefined {
  if (position === undefined || version === undefined || version <= versionOf(position)) return undefined;
  const detail = `its version is ${version}, should be ${versionOf(position)}: what is published next would be refused`;
  return { kind: 'ahead', id, detail };
}

function shortened(value: unknown): string {
  const text = shown(value);
  const points = [...text];
  return points.length > LONGEST_VALUE ? `${points.slice(0, LONGEST_VALUE - 1).join('')}…` : text;
}

function shown(value: unknown): string {
  return value === undefined ? 'absent' : canonicalJson(value);
}
