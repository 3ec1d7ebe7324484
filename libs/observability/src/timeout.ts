/** No answer arrived in time. */
export class DeadlineExceeded extends Error {
  override readonly name = 'DeadlineExceeded';
}

/** Returns the outcome of `work` if it settles within `ms` milliseconds. @throws DeadlineExceeded */
export function withTimeout<T>(ms: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const expire = () => reject(new DeadlineExceeded(`no response within ${ms} ms`));
    // A response that arrived while this process was busy is read before the call counts as late.
    const timer = setTimeout(() => setImmediate(expire), ms);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
