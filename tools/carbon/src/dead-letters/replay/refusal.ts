/** Why a letter is not replayed. */
export interface Refusal {
  readonly code:
    | 'no_letter'
    | 'original_gone'
    | 'still_unfit'
    | 'contradiction'
    | 'idempotency_conflict'
    | 'newer_asset'
    | 'too_large';
  /** For a person: what is wrong and what to do. */
  readonly detail: string;
  /** Whether `--force` overrules it. */
  readonly canBeForced: boolean;
}
