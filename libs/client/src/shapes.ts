import type { Shape } from './response.js';

const LINE: Shape = { asset: 'string', credits: 'number', price: 'number', cost: 'number' };

/** An accepted offset that is not recorded yet. */
export const QUEUED: Shape = { id: 'string', status: ['queued'] };

/** A recorded offset. */
export const RECORDED: Shape = {
  id: 'string',
  status: 'string',
  kgCO2e: 'number',
  credits: 'number',
  creditsMatched: 'number',
  retirements: { each: LINE },
  createdAt: 'string',
  updatedAt: 'string',
};

/** A completed offset. */
export const COMPLETED: Shape = { ...RECORDED, cost: 'number', currency: ['USD'], completedAt: 'string' };

/** A failed offset. */
export const FAILED: Shape = { ...RECORDED, failure: { code: 'string', detail: 'string' }, failedAt: 'string' };

/** An estimate. */
export const ESTIMATE: Shape = {
  id: 'string',
  kgCO2e: 'number',
  credits: 'number',
  cost: 'number',
  currency: ['USD'],
  allocations: { each: LINE },
  createdAt: 'string',
  expiresAt: 'string',
};

const ENTRY: Shape = {
  asset: 'string',
  sequence: 'number',
  credits: 'number',
  price: 'number',
  at: 'string',
  previousHash: 'string',
  hash: 'string',
};

/** The receipt of an offset. */
export const RECEIPT: Shape = { offset: 'string', status: 'string', entries: { each: ENTRY } };

const KIND: Shape = {
  total: 'number',
  indexedAt: 'string',
  fields: { each: { name: 'string', type: 'string', multi: 'boolean', description: 'string', operators: 'array' } },
};

/** The fields of pools and of projects. */
export const LIBRARY_SCHEMA: Shape = { pools: KIND, projects: KIND };

/** The assets that a search finds, counted by their fields. */
export const FACETS: Shape = { total: 'number', facets: { each: { field: 'string' } } };

/** What may stand at a caret in criteria. */
export const COMPLETIONS: Shape = {
  completions: { each: { insert: 'string', kind: 'string', from: 'number', to: 'number' } },
};

/** Why a search finds nothing. */
export const SEARCH_HINTS: Shape = {
  total: 'number',
  clauses: { each: { parameter: 'string', text: 'string', total: 'number' } },
};
