import { z } from 'zod';
import { wholeNumber } from './parameter.js';

/** How many a page holds at most. */
export const MAX_PAGE_SIZE = 100;

/** `cursor`: where the next page begins, out of the `Link` of the page before. */
export const cursorParameter = z.string().meta({
  description:
    'Where the page begins: taken, with its whole URL, from the `Link` of the page before. It holds for the same path, account and parameters only (`limit` may change), and does not expire.',
});

/**
 * `limit`: how many a page holds. @param unlessSaid how many when nothing is said; told in words, for forms fill in what a
 * schema calls its default, and next to an `id` it is a mistake
 */
export function limitParameter(unlessSaid: number): z.ZodType<number, string> {
  const description = `How many the page holds at most; ${unlessSaid} unless said.`;
  return wholeNumber(1, MAX_PAGE_SIZE).meta({ type: 'integer', minimum: 1, maximum: MAX_PAGE_SIZE, description });
}
