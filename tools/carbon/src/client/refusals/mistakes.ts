import type { ErrorItem } from '@carbon/client';
import { printable } from '@carbon/terminal';
import type { Paint } from '../printing/paint.js';
import { underlined } from './caret.js';

/** How a mistake is shown. */
export interface Showing {
  /** The criteria that were sent. */
  readonly criteria?: string | undefined;
  readonly width: number;
  readonly paint: Paint;
}

const INDENT = '  ';

/** What a person typed where the service names a parameter, a header or a field. */
const TYPED: Readonly<Record<string, string>> = {
  kgco2e: '<kg>',
  estimateid: '--estimate',
  customerref: '--ref',
  'idempotency-key': '--idempotency-key',
  id: '<id>',
  offset: '<id>',
  asset: '--asset',
  status: '--status',
  createdfrom: '--from',
  createdto: '--to',
  limit: '--limit',
  fulltextsearch: '--text',
  sort: '--sort',
  fields: '--fields',
};

/** One mistake of a request: where it is, what it is, and what may be meant. */
export function mistakeLines(item: ErrorItem, showing: Showing): readonly string[] {
  const place = placeLines(item, showing);
  const name = TYPED[item.field.toLowerCase()] ?? item.field;
  const sentence = printable(item.detail);
  const isNamed = place.length > 0 || name === '' || sentence.startsWith(`${name}:`);
  return [...place, `${INDENT}${isNamed ? '' : `${printable(name)}: `}${sentence}`, ...adviceLines(item)];
}

/** The criteria with carets under the mistake. */
function placeLines({ field, position, length }: ErrorItem, { criteria, width, paint }: Showing): readonly string[] {
  if (field !== 'criteria' || criteria === undefined || position === undefined) return [];
  const [line, carets] = underlined(criteria, { position, length: length ?? 1 }, Math.max(20, width - INDENT.length));
  return [`${INDENT}${line}`, `${INDENT}${paint('red', carets)}`];
}

function adviceLines({ detail, suggestion, hint }: ErrorItem): readonly string[] {
  // Some sentences hold the suggestion already.
  const isNew = suggestion !== undefined && !/did you mean/i.test(detail);
  return [...(isNew ? [`did you mean ${suggestion}?`] : []), ...(hint === undefined ? [] : [hint])].map(
    (advice) => `${INDENT}${printable(advice)}`,
  );
}
