/**
 * Freezes a tree and all within it; what is frozen already is taken for frozen throughout. Done once, at the package's
 * door: a tree that never leaves needs it not.
 */
export function deeplyFrozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const part of Object.values(value)) deeplyFrozen(part);
  return Object.freeze(value);
}
