import { numberText } from '../page/format.js';

/** The units in which a weight is typed, in kg. */
export const KG_PER_UNIT = { t: 1_000, kg: 1 } as const;

/** A unit of weight. */
export type Unit = keyof typeof KG_PER_UNIT;

/** A typed weight in kg, or the reason why it is none. */
export type Weight = { readonly kg: number } | { readonly reason: string };

/** The largest weight of an offset that the API accepts. */
const MAX_KG = 1e12;
const PLAIN = /^(?:\d+(?:[.,]\d*)?|[.,]\d+)$/;
/** A thousand to some and one to others; `0,234` can be but one. */
const EITHER = /^[1-9]\d{0,2},\d{3}$/;

/** Reads a weight, with a point or a comma before its decimals; what can be read in two ways is refused. */
export function readWeight(typed: string, unit: Unit): Weight {
  const text = typed.trim();
  if (EITHER.test(text)) {
    return { reason: `${text} can be ${text.replace(',', '')} or ${text.replace(',', '.')}: write the one you mean.` };
  }
  if (/^[-−]/.test(text)) return { reason: 'Write a weight above 0.' };
  if (!PLAIN.test(text))
    return { reason: 'Write digits, with at most one point or comma, before the decimals: 1234.5' };
  const kg = rounded(Number(text.replace(',', '.')) * KG_PER_UNIT[unit]);
  if (kg > MAX_KG) return { reason: `Write at most ${numberText(MAX_KG / KG_PER_UNIT[unit], unit)}.` };
  return kg > 0 ? { kg } : { reason: 'Write a weight above 0.' };
}

const PLAIN_DECIMALS = new Intl.NumberFormat('en-US', { useGrouping: false, maximumSignificantDigits: 15 });

/** Returns a weight as somebody would type it: never as `5e-7`. */
export function typedWeight(kg: number, unit: Unit): string {
  return PLAIN_DECIMALS.format(kg / KG_PER_UNIT[unit]);
}

/** Without the noise of binary fractions: 0.0012345 t are 1.2345 kg. */
function rounded(value: number): number {
  return Number(value.toPrecision(15));
}
