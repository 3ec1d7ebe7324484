import { checkBody, readJson, readParameters, required } from '@carbon/http';
import { z } from 'zod';
import { idempotencyKey, offsetRequestBody } from './offsets/offset-request.js';

/** Larger than any accepted body or head, in a shape that makes a careless pattern backtrack. */
const SHAPES = ['a', 'a ', '!a', '\\"', '\\\\', '%61', '+', '&', '=', ';', '0', '9e', '\u{1f333}', '\u0301'].map(
  (part) => `${part.repeat(50_000 / part.length)}!`,
);
/** A pattern that backtracks over such a text from every position takes seconds on any machine. */
const MAX_MS = 250;

/** Returns the processor time of this process in ms, so that other load does not matter; the minimum of three. */
function costOf(work: () => unknown): number {
  const costs = [1, 2, 3].map(() => {
    const begin = process.cpuUsage();
    try {
      work();
    } catch {
      // A rejection is as good as an acceptance.
    }
    const { user, system } = process.cpuUsage(begin);
    return (user + system) / 1_000;
  });
  return Math.min(...costs);
}

describe('50 KB of a hostile text', () => {
  it.each(SHAPES)('takes little time wherever a client may send it (%#)', (text) => {
    const json = JSON.stringify(text);
    const places: Readonly<Record<string, () => unknown>> = {
      customerRef: () => checkBody(offsetRequestBody, { kgCO2e: 1, customerRef: text }),
      estimateId: () => checkBody(offsetRequestBody, { kgCO2e: 1, estimateId: text }),
      'the name of a member': () => checkBody(offsetRequestBody, { [text]: 1 }),
      'a JSON text': () => readJson(Buffer.from(`{"a":${json}}`), 8),
      'a JSON text that does not end': () => readJson(Buffer.from(json.slice(0, -1)), 8),
      'a body that is no JSON': () => readJson(Buffer.from(text), 8),
      'a query': () => readParameters(`/x?${text}`, {}),
      'a parameter': () => readParameters(`/x?id=${encodeURIComponent(text)}`, { id: required(z.string()) }),
      'an Idempotency-Key': () =>
        idempotencyKey({ headers: { 'idempotency-key': text }, rawHeaders: ['Idempotency-Key', text] }),
    };
    for (const [place, work] of Object.entries(places)) {
      expect([place, costOf(work) < MAX_MS]).toEqual([place, true]);
    }
  });
});
