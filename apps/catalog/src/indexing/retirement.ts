/** That another generation has taken a generation's place. It holds while the turn is the same: who is chosen again is out. */
export interface Retirement {
  readonly turn: number;
  /** When that was seen. */
  readonly at: Date;
}

/**
 * The alias that keeps a retirement at the generation's indices. Not in `_meta`, which is always written as a whole: what
 * a process writes of a generation that it saw a while ago would undo what a person has chosen since.
 */
export function retirementAlias(prefix: string, { turn, at }: Retirement): string {
  return `${prefix}retired-${turn}-${at.getTime()}`;
}

/** What the aliases of an index say of retirements; other aliases say nothing. */
export function retirementsOf(prefix: string, aliases: readonly string[]): Retirement[] {
  return aliases
    .filter((alias) => alias.startsWith(prefix))
    .flatMap((alias) => {
      const [, turn, at] = /^retired-([0-9]{1,10})-([0-9]{1,15})$/.exec(alias.slice(prefix.length)) ?? [];
      return turn === undefined ? [] : [{ turn: Number(turn), at: new Date(Number(at)) }];
    });
}
