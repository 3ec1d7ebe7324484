import type { AssetType } from '@carbon/contracts';
import type { Place } from '@carbon/paging';
import type { RecentAnswer } from '../answers/recent-answers.js';
import type { ReadQuestion } from './read-question.js';
import type { SearchAnswer } from './search-answer.js';

/** One page of assets, for whoever asks the same. */
export interface AssetPage extends RecentAnswer {
  /** The assets as JSON: an array of what each has of the fields asked for. */
  readonly body: Buffer;
  /** How many there are on all pages. */
  readonly total: number;
  /** Where this page ends, unless it is the last. */
  readonly end?: Place;
}

/** The page that OpenSearch's hits make. */
export function assetPage(askedAt: number, { hits, total }: SearchAnswer['hits'], question: ReadQuestion): AssetPage {
  const { limit, wanted } = question;
  const shown = hits.slice(0, limit);
  const assets = shown.map(({ _source }) => _source);
  const body = Buffer.from(JSON.stringify(assets, [...wanted.fields]));
  const end = hits.length > limit ? shown.at(-1)?.sort : undefined;
  return { askedAt, body, total: total.value, bytes: body.length, ...(end && { end }) };
}

/** The same for two questions when the same page answers both, whoever asks and however the criteria are spelled. */
export function pageKey(type: AssetType, { canonical, wanted }: ReadQuestion): string {
  const { fullText, order, fields, size, after } = wanted;
  return JSON.stringify([type, canonical, fullText.blank ? '' : fullText.whole, order, fields, size, after]);
}
