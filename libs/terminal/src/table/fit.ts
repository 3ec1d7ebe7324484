/** A column that wants a width. */
export interface Wanted {
  readonly width: number;
  readonly least?: number;
  readonly rank?: number;
}

/**
 * The columns that have room, with the widths they get: those that may be cut are cut, the widest first; then those that
 * may be left out are, by rank. What may be neither stays, and the line is too long.
 */
export function fit<C extends Wanted>(columns: readonly C[], room: number, gap: number): readonly C[] {
  const excess = columns.reduce((sum, { width }) => sum + width + gap, -gap) - room;
  if (excess <= 0) return columns;
  const spare = columns.reduce((sum, column) => sum + column.width - leastOf(column), 0);
  const [last] = columns.filter(({ rank }) => rank !== undefined).sort((a, b) => (b.rank ?? 0) - (a.rank ?? 0));
  if (spare < excess && last !== undefined) {
    return fit(
      columns.filter((column) => column !== last),
      room,
      gap,
    );
  }
  return cut(columns, Math.min(excess, spare));
}

/** Takes one column of width after the other, from whichever is widest. */
function cut<C extends Wanted>(columns: readonly C[], excess: number): readonly C[] {
  const widths = columns.map(({ width }) => width);
  for (let left = excess; left > 0; left--) {
    let widest = -1;
    columns.forEach((column, at) => {
      const width = widths[at] ?? 0;
      if (width > leastOf(column) && width > (widths[widest] ?? 0)) widest = at;
    });
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return columns.map((column, at) => ({ ...column, width: widths[at] ?? column.width }));
}

function leastOf({ width, least }: Wanted): number {
  return least === undefined ? width : Math.min(least, width);
}
