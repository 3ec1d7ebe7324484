/** Makes a value before the tests of the enclosing block, and closes it after them. It is for use within tests. */
export function duringTests<T extends object>(start: () => Promise<T>, close: (value: T) => unknown): T {
  let value: T | undefined;
  beforeAll(async () => {
    value = await start();
  });
  afterAll(async () => {
    if (value !== undefined) await close(value);
  });
  return lazily(() => value);
}

/** Returns a placeholder for a value that exists only within tests. */
export function lazily<T extends object>(find: () => T | undefined): T {
  return new Proxy({} as T, {
    get: (_, name) => {
      const found = find();
      if (found === undefined) throw new Error('This is for use within tests.');
      return Reflect.get(found, name);
    },
  });
}
