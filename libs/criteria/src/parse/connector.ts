import { CODE, SMALL } from '../text/characters.js';
import type { Cursor } from './cursor.js';
import { isKeywordAhead } from './keyword.js';

/** A word or sign that joins two terms, not yet passed. */
export interface Connector {
  readonly kind: 'and' | 'or';
  readonly length: number;
}

const AND_SIGN: Connector = { kind: 'and', length: 2 };
const OR_SIGN: Connector = { kind: 'or', length: 2 };
const AND_WORD: Connector = { kind: 'and', length: 3 };
const OR_WORD: Connector = { kind: 'or', length: 2 };

/** The connector ahead: `and`, `&&`, `or`, `||`. */
export function connectorAhead(cursor: Cursor): Connector | undefined {
  switch (cursor.code() | SMALL) {
    case CODE.a:
      return isKeywordAhead(cursor, 'and') ? AND_WORD : undefined;
    case CODE.o:
      return isKeywordAhead(cursor, 'or') ? OR_WORD : undefined;
    case CODE.ampersand:
      return cursor.startsWith('&&') ? AND_SIGN : undefined;
    case CODE.pipe:
      return cursor.startsWith('||') ? OR_SIGN : undefined;
    default:
      return undefined;
  }
}
