import { isNameCharacter } from '../characters.js';
import type { Cursor } from '../cursor.js';
import type { NameNode } from '../nodes.js';

/** Reads the run of characters that may be a field's name; the caller has seen that there is one. */
export function readFieldName(cursor: Cursor): NameNode {
  const position = cursor.at;
  while (isNameCharacter(cursor.code())) cursor.at++;
  return { text: cursor.text.slice(position, cursor.at), position, length: cursor.at - position };
}
