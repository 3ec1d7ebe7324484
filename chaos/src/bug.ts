import type { Count } from './judge/counts.js';
import type { Shape } from './system/shape.js';

/** One change of a source file: a text that occurs in it exactly once, and its replacement. */
export interface Edit {
  /** From the root of the checkout. */
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

/**
 * A deliberate bug in a copy of the checkout, to test that the harness detects it. Its edits also disable every defence
 * that would compensate for it, and widen races of milliseconds, so that one run is enough.
 */
export interface Bug {
  /** The name of its file. */
  readonly name: string;
  /** How the system misbehaves, as a sentence. */
  readonly breaks: string;
  /** Applied in order. */
  readonly edits: readonly Edit[];
  /** The fault that reveals it. */
  readonly fault: string;
  /** The count that must then be above 0. */
  readonly caughtBy: Count;
  /** How the system differs from that of the other bugs. */
  readonly shape?: Partial<Pick<Shape, 'registry' | 'offsets' | 'gateways' | 'catalogs' | 'perSecond' | 'drainMs'>>;
}
