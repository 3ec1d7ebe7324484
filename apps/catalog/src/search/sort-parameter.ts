import { type AssetFieldName, type AssetType, SORTABLE, sortText } from '@carbon/contracts';
import type { z } from 'zod';
import { flawOfNames } from './name-list.js';
import type { SortKey } from './order.js';
import { namesFor } from './type-names.js';

/** An order that a client asks for, and how it was written. */
export interface SortParameter {
  readonly text: string;
  readonly keys: readonly SortKey[];
}

/** Reads `sort`: names of sortable fields, the first the most important, each with a `-` before it for descending order. */
export function sortParameter(type: AssetType): z.ZodType<SortParameter, string> {
  const rule = namesFor(type, 'cannot be sorted by', SORTABLE);
  return sortText(type).transform((text, context): SortParameter => {
    const pieces = text
      .split(',')
      .map((piece) => ({ name: piece.replace(/^-/, ''), descending: piece.startsWith('-') }));
    const names = pieces.map(({ name }) => name);
    const flaw = flawOfNames(names, rule);
    if (flaw) context.addIssue({ code: 'custom', message: flaw.detail, params: flaw.advice });
    return { text, keys: pieces.map(({ name, descending }) => ({ by: name as AssetFieldName, descending })) };
  });
}
