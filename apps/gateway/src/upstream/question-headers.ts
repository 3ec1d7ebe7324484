import { currentContext } from '@carbon/observability';

/** Who asks and within which request and trace, for the app that answers. */
export function questionHeaders(account: string): Record<string, string> {
  const context = currentContext();
  if (context === undefined) return { 'x-account': account };
  return { 'x-account': account, 'x-request-id': context.requestId, traceparent: context.traceparent };
}
