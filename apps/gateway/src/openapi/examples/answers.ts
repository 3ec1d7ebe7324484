import type {
  AcceptedView,
  EstimateView,
  OffsetView,
  QueuedOffsetView,
  RetirementReceiptView,
} from '@carbon/contracts';
import type { Asked } from './refused.js';

/** What one answer looks like. */
export interface Example {
  readonly summary: string;
  readonly value: unknown;
  /** What is answered so by a gateway that asks for no key, with the library as it comes: a test asks, and compares. */
  readonly 'x-request'?: Asked;
}

/** Examples by name. */
export type Examples = Readonly<Record<string, Example>>;

const ID = 'off_89t0dkkrevy5cfdqvb6rk9w000';
const LINE = {
  asset: 'proj_vcs-12',
  ticker: 'VCS-12-2016',
  address: '0xec4db7105af6f096640217d5efc68bc808f9c641',
  credits: 1.2345,
  price: 2.07,
  cost: 2.555415,
};
const SENT = { kgCO2e: 1234.5, credits: 1.2345, customerRef: 'user-7' };
const CREATED = '2026-11-21T20:04:23.284Z';

const completed: OffsetView = {
  id: ID,
  status: 'completed',
  ...SENT,
  creditsMatched: 1.2345,
  retirements: [LINE],
  cost: 2.555415,
  currency: 'USD',
  createdAt: CREATED,
  updatedAt: '2026-11-21T20:04:23.640Z',
  completedAt: '2026-11-21T20:04:23.640Z',
};

const failed: OffsetView = {
  id: 'off_01m7zvbky9aknqk9ng7m7jkpsk',
  status: 'failed',
  kgCO2e: 1,
  credits: 0.001,
  creditsMatched: 0,
  retirements: [],
  estimateId: 'est_5',
  failure: {
    code: 'estimate_not_found',
    detail: 'This account has no estimate with that id. Nothing was retired; leave estimateId out, or name another.',
  },
  createdAt: '2026-11-21T20:04:27.721Z',
  updatedAt: '2026-11-21T20:04:27.745Z',
  failedAt: '2026-11-21T20:04:27.745Z',
};

/** Of `POST /v1/offsets`. */
export const ACCEPTED = {
  accepted: {
    summary: 'Queued',
    value: { message: `Offset event with ID: ${ID} queued for processing.` } satisfies AcceptedView,
  },
};

/** Of `GET /v1/offsets`. */
export const OFFSETS = {
  completed: { summary: 'One offset, completed', value: completed },
  failed: { summary: 'One offset, failed', value: failed },
  queued: {
    summary: 'One offset, accepted a moment ago and not recorded yet',
    value: { id: failed.id, status: 'queued' } satisfies QueuedOffsetView,
  },
  list: { summary: 'A page of the list', value: [failed, completed] },
};

/** Of `/v1/estimates`. */
export const ESTIMATES = {
  estimate: {
    summary: 'The price of a tonne from one pool',
    value: {
      id: 'est_01m7zvbfgqp8maf2d0aywgp39y',
      kgCO2e: 1000,
      credits: 1,
      cost: 7.94,
      currency: 'USD',
      allocations: [
        {
          asset: 'pool_nct',
          ticker: 'NCT',
          address: '0xD838290e877E0188a4A44700463419ED96c16107',
          credits: 1,
          price: 7.94,
          cost: 7.94,
        },
      ],
      createdAt: '2026-11-21T20:04:23.191Z',
      expiresAt: '2026-11-22T20:04:23.191Z',
    } satisfies EstimateView,
  },
};

/** Of `GET /v1/retirements`. */
export const RECEIPTS = {
  completed: {
    summary: 'Of a completed offset',
    value: {
      offset: ID,
      entries: [
        {
          asset: LINE.asset,
          sequence: 1,
          credits: LINE.credits,
          price: LINE.price,
          at: '2026-11-21T20:04:23.640Z',
          previousHash: '10041b1a6fd8da4b481b1a1da9f0f83a0b41e8753d75d0e292b3bd2f8e06db53',
          hash: 'd461e806b283c6349e67bfaffad799eb1ed197c9d527dde7b1eeffa43a2f86fd',
        },
      ],
    } satisfies RetirementReceiptView,
  },
  none: { summary: 'Of one that is not completed', value: { offset: failed.id, entries: [] } },
};
