/** Nothing was heard for too long. */
export class OutOfPatience extends Error {
  override readonly name = 'OutOfPatience';
  constructor(silentMs: number) {
    super(`nothing was heard for ${silentMs / 1000} s`);
  }
}

/** Does the work, but throws {@link OutOfPatience} when it calls `heard` less often than every `silentMs`. */
export async function withPatience<T>(silentMs: number, work: (heard: () => void) => Promise<T>): Promise<T> {
  const { promise: silence, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new OutOfPatience(silentMs)), silentMs);
  try {
    return await Promise.race([work(() => timer.refresh()), silence]);
  } finally {
    clearTimeout(timer);
  }
}
