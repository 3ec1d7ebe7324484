import { audit } from '../cli/audit.js';
import { inSnapshot } from '../cli/snapshot.js';
import { verifyLedger } from '../cli/verify.js';

/** Returns the result of `ledger audit`. */
export async function auditOf(url: string): Promise<{ violations: string[]; warnings: string[] }> {
  const { violations, warnings } = await inSnapshot(url, audit);
  return { violations, warnings };
}

/** Returns the result of `ledger verify`. */
export async function verifyOf(url: string): Promise<{ count: number; violations: string[] }> {
  const violations: string[] = [];
  const count = await inSnapshot(url, (ask) => verifyLedger(ask, (error) => violations.push(error)));
  return { count, violations };
}

/**
 * Expects that every gram is accounted for and every hash chain is valid; the library may issue less than is retired.
 */
export async function expectConsistent(url: string): Promise<void> {
  const [{ violations }, verified] = [await auditOf(url), await verifyOf(url)];
  expect({ audit: violations, verify: verified.violations }).toEqual({ audit: [], verify: [] });
}
