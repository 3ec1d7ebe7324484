// Made by `npm run generate` from docs/openapi.json: the required members of each response.
import type { Shape } from '../response.js';

export const ACCEPTED_OFFSET: Shape = { message: 'string' };

export const OFFSET: Shape = { id: 'string', status: 'string', kgCO2e: 'number', credits: 'number', creditsMatched: 'number', retirements: { each: { asset: 'string', credits: 'number', price: 'number', cost: 'number' } }, createdAt: 'string', updatedAt: 'string' };

export const QUEUED_OFFSET: Shape = { id: 'string', status: ['queued'] };

export const ESTIMATE: Shape = { id: 'string', kgCO2e: 'number', credits: 'number', cost: 'number', currency: ['USD'], allocations: { each: { asset: 'string', credits: 'number', price: 'number', cost: 'number' } }, createdAt: 'string', expiresAt: 'string' };

export const RECEIPT: Shape = { offset: 'string', status: 'string', entries: { each: { asset: 'string', sequence: 'number', credits: 'number', price: 'number', at: 'string', previousHash: 'string', hash: 'string' } } };

export const LIBRARY_SCHEMA: Shape = { pools: { total: 'number', indexedAt: 'string', fields: { each: { name: 'string', type: 'string', multi: 'boolean', operators: 'array', description: 'string' } } }, projects: { total: 'number', indexedAt: 'string', fields: { each: { name: 'string', type: 'string', multi: 'boolean', operators: 'array', description: 'string' } } } };

export const SEARCH_HINTS: Shape = { total: 'number', clauses: { each: { parameter: 'string', text: 'string', total: 'number' } } };

export const FACETS: Shape = { total: 'number', facets: { each: { field: 'string' } } };

export const COMPLETIONS: Shape = { completions: { each: { insert: 'string', kind: 'string', from: 'number', to: 'number' } } };
