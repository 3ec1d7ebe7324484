import { continueTrace } from './trace-parent.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';

describe('continueTrace', () => {
  it('stays in the trace it was given, at a place of its own', () => {
    const { traceId, traceparent } = continueTrace(`00-${TRACE}-00f067aa0ba902b7-00`);
    expect(traceId).toBe(TRACE);
    expect(traceparent).toMatch(new RegExp(`^00-${TRACE}-(?!00f067aa0ba902b7)[0-9a-f]{16}-00$`));
  });

  it('hands on what it understands of a later version', () => {
    expect(continueTrace(`cc-${TRACE}-00f067aa0ba902b7-01-what-comes`).traceparent).toMatch(
      new RegExp(`^00-${TRACE}-.{16}-01$`),
    );
  });

  it.each([
    undefined,
    '',
    'nonsense',
    `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `ff-${TRACE}-00f067aa0ba902b7-01`,
    `00-${TRACE}-00f067aa0ba902b7-01-more`,
    `00-${TRACE.toUpperCase()}-00f067aa0ba902b7-01`,
  ])('begins a sampled trace after %j', (received) => {
    const { traceId, traceparent } = continueTrace(received);
    expect(traceId).not.toBe(TRACE);
    expect(traceparent).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-01$`));
  });
});
