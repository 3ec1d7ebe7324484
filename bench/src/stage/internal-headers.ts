import type { RunningSystem } from '@carbon/local';

/** What an app of a running system is asked with by its gateway: the secret it knows the gateway by, and whose question it is. */
export function internalHeaders({ environment }: RunningSystem, account: string): Record<string, string> {
  const [secret = ''] = (environment.INTERNAL_SECRETS ?? '').split(',');
  return { 'x-internal-secret': secret, 'x-account': account };
}
