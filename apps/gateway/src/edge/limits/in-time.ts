/** What was asked did not answer within its time. */
export class Late extends Error {
  override readonly name = 'Late';
}

/**
 * What comes of `work` when it comes within so many milliseconds.
 * @throws Late
 */
export function inTime<T>(work: Promise<T>, ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = () => reject(new Late(`no answer within ${ms} ms`));
    // What has arrived while this process was busy is read before it is called late.
    const timer = setTimeout(() => setImmediate(late), ms);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
