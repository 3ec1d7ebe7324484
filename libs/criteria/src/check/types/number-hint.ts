import { numberOf } from './number-literal.js';

/** What to write instead of a text that is no number; nothing when no number was meant. */
export function numberHint(text: string): { readonly hint?: string } {
  const plain = text.replace(/^[–−﹣－]/u, '-').replace(/^\+/, '');
  const grouped = plain.replaceAll(/[_’'](?=\d{3})/g, '');
  return grouped !== text && numberOf(grouped) !== undefined ? { hint: `write ${grouped}` } : {};
}
