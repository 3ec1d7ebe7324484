import { type Setting, setting } from '@carbon/config';
import { z } from 'zod';
import type { Limit } from './bucket.js';

/** A limit, or none. */
export type LimitSetting = Limit | 'unlimited';

const MOST_PER_SECOND = 10_000;
const MOST_BURST = 1_000_000;
const FORM = /^(\d{1,5}(?:\.\d{1,3})?)\/(\d{1,7})$/;
const EXPECTED = `must be <requests a second>/<requests at once>, such as 10/20 or 0.1/5 (at most ${MOST_PER_SECOND}/${MOST_BURST}), or unlimited`;

/** How often something may be done: `10/20` is ten times a second on average and twenty times at once. */
export function limitSetting(meta: {
  readonly description: string;
  readonly fallback?: string;
  readonly example?: string;
}): Setting<LimitSetting> {
  const schema = z.string().transform((text, context): LimitSetting => {
    const limit = text === 'unlimited' ? text : limitOf(text);
    if (limit !== undefined) return limit;
    context.addIssue({ code: 'custom', message: EXPECTED });
    return z.NEVER;
  });
  return setting(schema, meta);
}

function limitOf(text: string): Limit | undefined {
  const [, perSecond, burst] = FORM.exec(text) ?? [];
  const limit = { perSecond: Number(perSecond), burst: Number(burst) };
  const isInBounds = limit.perSecond > 0 && limit.perSecond <= MOST_PER_SECOND && limit.burst <= MOST_BURST;
  return isInBounds && limit.burst >= 1 ? limit : undefined;
}
