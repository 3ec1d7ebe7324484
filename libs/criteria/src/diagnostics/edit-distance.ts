/**
 * Damerau-Levenshtein distance (optimal string alignment): insertions, deletions, replacements and swaps of
 * neighbours. Words whose lengths already differ by `bound` or more are not compared: the answer is `bound`.
 */
export function editDistance(left: string, right: string, bound: number): number {
  if (Math.abs(left.length - right.length) >= bound) return bound;
  let twoAgo: number[] = [];
  let previous = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row++) {
    const current = nextRow(left, right, row, previous, twoAgo);
    twoAgo = previous;
    previous = current;
  }
  return Math.min(previous[right.length] ?? bound, bound);
}

function nextRow(left: string, right: string, row: number, previous: number[], twoAgo: number[]): number[] {
  const current = [row];
  for (let column = 1; column <= right.length; column++) {
    const replaced = at(previous, column - 1) + (left[row - 1] === right[column - 1] ? 0 : 1);
    const least = Math.min(at(previous, column) + 1, at(current, column - 1) + 1, replaced);
    const swapped = row > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
    current.push(swapped ? Math.min(least, at(twoAgo, column - 2) + 1) : least);
  }
  return current;
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}
