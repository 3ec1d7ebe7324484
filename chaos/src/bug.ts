import type { Count } from './judge/counts.js';
import type { Shape } from './system/shape.js';

/** One change of a source file: a text that stands in it exactly once, and what takes its place. */
export interface Edit {
  /** From the root of the checkout. */
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

/**
 * A mistake made on purpose in a copy of the checkout, to see that the harness finds it. It takes out every defence that would
 * make up for it, and widens what would be a matter of milliseconds, so that one run is enough.
 */
export interface Bug {
  /** The name of its file, too. */
  readonly name: string;
  /** Which promise it breaks, as a sentence. */
  readonly breaks: string;
  /** Made one after the other. */
  readonly edits: readonly Edit[];
  /** The fault that brings it to light. */
  readonly fault: string;
  /** What must not be 0 then. */
  readonly caughtBy: Count;
  /** How the system differs from that of the other bugs. */
  readonly shape?: Partial<Pick<Shape, 'registry' | 'offsets' | 'gateways' | 'catalogs' | 'perSecond' | 'drainMs'>>;
}
