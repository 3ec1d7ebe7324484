import {
  acceptedView,
  estimateView,
  failureView,
  fieldSchemaView,
  kindSchemaView,
  librarySchemaView,
  offsetView,
  queuedOffsetView,
  receiptEntryView,
  retirementReceiptView,
  retirementView,
} from '@carbon/contracts';
import { z } from 'zod';
import { createDocument } from 'zod-openapi';
import { estimateWish } from '../estimates/create-estimate/read-create-estimate.js';
import { offsetWish } from '../offsets/create-offset/offset-wish.js';
import { ANSWER_HEADERS } from './answer-headers.js';
import { INFO, TAGS } from './info.js';
import { SECURITY_SCHEMES } from './keyed.js';
import { PATHS_AROUND } from './operations/around.js';
import { ASSET_PATHS, ASSET_VIEWS } from './operations/assets.js';
import { ESTIMATE_PATHS } from './operations/estimates.js';
import { OFFSET_PATHS } from './operations/offsets.js';
import { RETIREMENT_PATHS } from './operations/retirements.js';
import { plainJson } from './plain-json.js';
import { bodyMistake, criteriaMistake, headerMistake, parameterMistake } from './problems/mistakes.js';
import { FAULT_CODES, PROBLEM_VIEWS, problemName } from './problems/problem-views.js';

/** What stands by itself in the document, by the name it has there. */
const NAMED = {
  NewOffset: offsetWish,
  AcceptedOffset: acceptedView,
  Offset: offsetView,
  QueuedOffset: queuedOffsetView,
  Retirement: retirementView,
  Failure: failureView,
  NewEstimate: estimateWish,
  Estimate: estimateView,
  Receipt: retirementReceiptView,
  ReceiptEntry: receiptEntryView,
  Pool: ASSET_VIEWS.POOL,
  Project: ASSET_VIEWS.PROJECT,
  LibrarySchema: librarySchemaView,
  KindSchema: kindSchemaView,
  FieldSchema: fieldSchemaView,
  ParameterMistake: parameterMistake,
  BodyMistake: bodyMistake,
  HeaderMistake: headerMistake,
  CriteriaMistake: criteriaMistake,
  ...Object.fromEntries(FAULT_CODES.map((code) => [problemName(code), PROBLEM_VIEWS[code]])),
};

for (const [id, schema] of Object.entries<z.ZodType>(NAMED)) z.globalRegistry.add(schema, { ...schema.meta(), id });

/** The whole HTTP API in OpenAPI 3.1, out of the schemas that its requests are read by and its answers are written to. */
export function openApiDocument(): ReturnType<typeof createDocument> {
  return createDocument(
    {
      openapi: '3.1.0',
      info: INFO,
      servers: [{ url: '/' }],
      tags: TAGS,
      paths: { ...OFFSET_PATHS, ...ESTIMATE_PATHS, ...RETIREMENT_PATHS, ...ASSET_PATHS, ...PATHS_AROUND },
      components: { headers: ANSWER_HEADERS, securitySchemes: SECURITY_SCHEMES },
    },
    { override: plainJson },
  );
}
