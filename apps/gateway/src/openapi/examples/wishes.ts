/** Bodies of `POST /v1/offsets`. */
export const OFFSET_WISHES = {
  weight: { summary: 'A weight, and nothing else', value: { kgCO2e: 1234.5 } },
  everything: {
    summary: 'At the prices of an estimate, for a customer',
    value: { kgCO2e: 1000, estimateId: 'est_01m7zvbfgqp8maf2d0aywgp39y', customerRef: 'user-7' },
  },
};

/** Bodies of `POST /v1/estimates`. */
export const ESTIMATE_WISHES = {
  weight: { summary: 'From wherever it is best had', value: { kgCO2e: 250_000 } },
  asset: { summary: 'All of it from one pool', value: { kgCO2e: 1000, asset: 'pool_nct' } },
};
