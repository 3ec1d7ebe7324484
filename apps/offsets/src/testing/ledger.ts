import { audit, type Findings } from '../cli/audit.js';
import { inSnapshot } from '../cli/snapshot.js';
import { verify } from '../cli/verify.js';

/** What `ledger audit` finds in a database. */
export function auditOf(url: string): Promise<Findings> {
  return inSnapshot(url, audit);
}

/** What `ledger verify` finds in a database. */
export async function verifyOf(url: string): Promise<{ count: number; faults: string[] }> {
  const faults: string[] = [];
  const count = await inSnapshot(url, (ask) => verify(ask, (fault) => faults.push(fault)));
  return { count, faults };
}

/** Checks that every gram is accounted for and every hash chain holds; the library may issue less than is retired. */
export async function expectConsistent(url: string): Promise<void> {
  const [{ faults }, verified] = [await auditOf(url), await verifyOf(url)];
  expect({ audit: faults, verify: verified.faults }).toEqual({ audit: [], verify: [] });
}
