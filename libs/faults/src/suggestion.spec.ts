import { suggestionFor } from './suggestion.js';

const NAMES = ['kgCO2e', 'estimateId', 'customerRef', 'id'];

describe('suggestionFor', () => {
  it.each([
    ['kgCo2e', 'kgCO2e'],
    ['KGCO2E', 'kgCO2e'],
    ['kgCO2', 'kgCO2e'],
    ['estimateID', 'estimateId'],
    ['estimatId', 'estimateId'],
    ['customerreff', 'customerRef'],
    ['idd', 'id'],
  ])('takes %s for %s', (name, meant) => expect(suggestionFor(name, NAMES)).toBe(meant));

  it.each(['colour', 'kg', 'estim', '', 'x'.repeat(10_000)])('makes nothing of %s', (name) => {
    expect(suggestionFor(name, NAMES)).toBeUndefined();
  });
});
