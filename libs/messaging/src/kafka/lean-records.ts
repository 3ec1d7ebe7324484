import { createRequire } from 'node:module';
import { writeRecord } from './write-record.js';

const PLACE = 'kafkajs/src/protocol/recordBatch/record/v0/index.js';

/**
 * kafkajs writes each header into a buffer of half a kilobyte of its own, and copies them into one more for the record: of
 * events with eight headers that is half of what publishing costs. From here on its producers write records by
 * `writeRecord`, which gives the same bytes (docs/decisions/0024). To be called before the first of them sends; a second call
 * changes nothing.
 */
export function leanRecords(): void {
  const require = createRequire(import.meta.url);
  const path = require.resolve(PLACE);
  require(path);
  const place = require.cache[path];
  if (place === undefined) throw new Error(`kafkajs has no ${PLACE} any more.`);
  place.exports = writeRecord;
}
