import { hardExitMs, SHUTDOWN_PHASES } from './graceful-shutdown.js';
import { continueTrace } from './request-context.js';
import { RoutePrefixes } from './request-log.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';

describe('continueTrace', () => {
  it('continues the received trace in a span of its own', () => {
    const { traceId, traceparent } = continueTrace(`00-${TRACE}-00f067aa0ba902b7-00`);
    expect(traceId).toBe(TRACE);
    expect(traceparent).toMatch(new RegExp(`^00-${TRACE}-(?!00f067aa0ba902b7)[0-9a-f]{16}-00$`));
  });

  it('continues a trace of a later version', () => {
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
  ])('starts a sampled trace after %j', (received) => {
    const { traceId, traceparent } = continueTrace(received);
    expect(traceId).not.toBe(TRACE);
    expect(traceparent).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-01$`));
  });
});

describe('the logged part of a path without a route', () => {
  const prefixes = new RoutePrefixes();
  for (const route of ['/v1/offsets', '/v1/assets/pools', '/problems/:code', '/docs']) prefixes.add(route);

  it.each([
    ['/v1', '/v1'],
    ['/v1/offsets', '/v1/offsets'],
    ['/v1/offsets/ref-7', '/v1/offsets/…'],
    ['/v1/offsets/', '/v1/offsets/…'],
    ['/v1/assets/ref-7/pools', '/v1/assets/…'],
    ['/v1/cl_live_0123456789ab_secret', '/v1/…'],
    ['/v1/cl%5Flive%5F0123456789ab%5Fsecret', '/v1/…'],
    ['/problems/ref-7/x', '/problems/…'],
    ['/ref-7', '/…'],
    ['/', '/…'],
    ['/V1/offsets', '/…'],
    ['/v1;ref=7/offsets', '/…'],
    ['//v1', '/…'],
    ['*', '/…'],
    ['http://ref-7/v1', '/…'],
    ['', ''],
  ])('of %j is %j', (path, logged) => expect(prefixes.of(path)).toBe(logged));
});

it.each([0, 500, 60_000])(
  'the hard exit of a shutdown comes after a grace period of %d ms and every phase',
  (graceMs) => {
    const { drainMs, joinMs, leaveMs, flushMs, disconnectMs } = SHUTDOWN_PHASES;
    expect(hardExitMs(graceMs)).toBeGreaterThan(graceMs + drainMs + joinMs + leaveMs + flushMs + disconnectMs);
    expect(hardExitMs(graceMs)).toBe(graceMs + 30_000);
  },
);
