/** Freezes a tree and everything within it, for callers outside the package. A frozen object counts as frozen throughout. */
export function deeplyFrozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const part of Object.values(value)) deeplyFrozen(part);
  return Object.freeze(value);
}
