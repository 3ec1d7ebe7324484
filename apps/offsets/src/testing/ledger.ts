import { audit } from '../cli/audit.js';
import { inSnapshot } from '../cli/snapshot.js';
import { verify } from '../cli/verify.js';

/** Returns the result of `ledger audit`. */
export async function auditOf(url: string): Promise<{ faults: string[]; warnings: string[] }> {
  const { violations, warnings } = await inSnapshot(url, audit);
  return { faults: violations, warnings };
}

/** Returns the result of `ledger verify`. */
export async function verifyOf(url: string): Promise<{ count: number; faults: string[] }> {
  const faults: string[] = [];
  const count = await inSnapshot(url, (ask) => verify(ask, (error) => faults.push(error)));
  return { count, faults };
}

/**
 * Expects that every gram is accounted for and every hash chain is valid; the library may issue less than is retired.
 */
export async function expectConsistent(url: string): Promise<void> {
  const [{ faults }, verified] = [await auditOf(url), await verifyOf(url)];
  expect({ audit: faults, verify: verified.faults }).toEqual({ audit: [], verify: [] });
}
