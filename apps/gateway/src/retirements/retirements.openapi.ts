import { offsetIdSchema, type RetirementReceiptView, receiptEntryView, retirementReceiptView } from '@carbon/contracts';
import { required } from '@carbon/http';
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { queryParameters } from '../api-docs/openapi-parameters.js';
import { operation } from '../api-docs/operation.js';
import { invalidUrl } from '../api-docs/problem-examples.js';

/** The schemas of receipts by their names in the document. */
export const RETIREMENT_SCHEMAS = { Receipt: retirementReceiptView, ReceiptEntry: receiptEntryView };

const receipt: RetirementReceiptView = {
  offset: 'off_89t0dkkrevy5cfdqvb6rk9w000',
  status: 'completed',
  entries: [
    {
      asset: 'proj_vcs-12',
      vintages: [2012, 2013, 2014, 2015, 2016],
      sequence: 1,
      credits: 1.2345,
      price: 2.07,
      at: '2026-11-21T20:04:23.640Z',
      previousHash: '10041b1a6fd8da4b481b1a1da9f0f83a0b41e8753d75d0e292b3bd2f8e06db53',
      hash: 'd461e806b283c6349e67bfaffad799eb1ed197c9d527dde7b1eeffa43a2f86fd',
    },
  ],
};
const empty: RetirementReceiptView = { offset: 'off_01m7zvbky9aknqk9ng7m7jkpsk', status: 'failed', entries: [] };

const PARAMETERS = { offset: required(offsetIdSchema.meta({ description: 'The id of the offset.' })) };

/** `/v1/retirements`. */
export const RETIREMENT_PATHS: ZodOpenApiPathsObject = {
  '/v1/retirements': {
    get: operation({
      operationId: 'getRetirements',
      tag: 'Retirements',
      summary: 'Read the receipt of an offset',
      description: "The offset's entries in the retirement ledger, each with its place in its asset's chain of hashes.",
      scope: 'offsets:read',
      parameters: queryParameters(PARAMETERS, { offset: receipt.offset }),
      success: {
        description: 'The receipt.',
        schema: retirementReceiptView,
        examples: {
          completed: { summary: 'Of a completed offset', value: receipt },
          none: { summary: 'Of a failed one', value: empty },
        },
      },
      problems: [invalidUrl('Another name for the parameter', '/v1/retirements?id=off_1', PARAMETERS), 'not_found'],
    }),
  },
};
