import { currentContext } from '@carbon/observability';

/** What goes before a question to another app; the account is whose turn it is asked in. */
export type QuestionHeaders = Readonly<Record<string, string>> & { readonly 'x-account': string };

/** Who asks and within which request and trace, for the app that answers. */
export function questionHeaders(account: string): QuestionHeaders {
  const context = currentContext();
  if (context === undefined) return { 'x-account': account };
  return { 'x-account': account, 'x-request-id': context.requestId, traceparent: context.traceparent };
}
