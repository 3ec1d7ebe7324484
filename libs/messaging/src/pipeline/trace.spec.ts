import { currentContext } from '@carbon/observability';
import { received, runOf } from './test-run.js';
import { inContext, trace } from './trace.js';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const headers = { 'x-request-id': 'r-1', traceparent: `00-${traceId}-00f067aa0ba902b7-01` };

describe('trace', () => {
  it('goes on with the request and the trace a message came from', async () => {
    const { messages } = await trace(runOf({ messages: [{ ...received(1), headers }] }));
    expect(messages[0]?.context).toMatchObject({ requestId: 'r-1', traceId });
  });

  it('begins anew where a message brings none, or nothing that may be logged', async () => {
    const forged = { 'x-request-id': 'r\n{"level":"fatal"}', traceparent: 'nonsense' };
    const { messages } = await trace(runOf({ messages: [received(1), { ...received(2), headers: forged }] }));
    for (const { context } of messages) {
      expect(context.requestId).toMatch(/^[0-9a-f-]{36}$/);
      expect(context.traceId).toMatch(/^[0-9a-f]{32}$/);
    }
  });

  it('runs the handler in the context of a message that is alone, else in one of its own', async () => {
    const { messages } = await trace(runOf({ messages: [1, 2].map((n) => ({ ...received(n), headers })) }));
    const seen: (string | undefined)[] = [];
    const handle = inContext(async () => {
      seen.push(currentContext()?.requestId);
      return [];
    });
    const batch = { topic: 'offset.requested', partition: 0 } as const;
    await handle({ ...batch, messages: messages.slice(0, 1) });
    await handle({ ...batch, messages });
    expect(seen[0]).toBe('r-1');
    expect(seen[1]).toMatch(/^[0-9a-f-]{36}$/);
  });
});
