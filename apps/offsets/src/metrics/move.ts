import type { OffsetStatus } from '@carbon/contracts';

/** That an offset went from one state to another, with the times by the database's clock. */
export interface Move {
  readonly from: OffsetStatus;
  readonly to: OffsetStatus;
  /** How long it had been in the state that it left. */
  readonly seconds: number;
  /** Since its acceptance, where it is settled now. */
  readonly sinceAccepted?: number;
  /** Why it failed. */
  readonly code?: string;
}
