/**
 * Weights and money. Inside the system a weight is a whole number of grams and money a whole number of millionths of a
 * US dollar ("micros"), both `bigint`; decimals exist only at the edges, and are converted here, once.
 *
 * A JSON number is read through its shortest decimal text (ECMA-262, Number::toString), never through binary
 * arithmetic, so 1234.5 kg is 1,234,500 g and 0.1 + 0.2 errors cannot creep in.
 */

const KG_TO_GRAMS = 3;
const CREDIT_TO_GRAMS = 6;
const USD_TO_MICROS = 6;
const MICROS_PER_PRICE = 1_000_000n;

/** The largest weight of one request: a thousand million tonnes, in kilograms. The console has a copy. */
export const MAX_KG = 1e12;

/** Returns the grams of CO2e in `kg` kilograms, rounded up: emissions are never under-removed. */
export function gramsFromKg(kg: number): bigint {
  const { whole, rest } = scale(kg, KG_TO_GRAMS);
  return rest && whole >= 0n ? whole + 1n : whole;
}

/** Returns the grams in `credits` credits (tonnes). @throws RangeError for a fraction of a gram */
export function gramsFromCredits(credits: number): bigint {
  return exact(credits, CREDIT_TO_GRAMS, 'credits');
}

/** Returns the micro-dollars in `usd` dollars. @throws RangeError for more than six decimals */
export function microsFromUsd(usd: number): bigint {
  return exact(usd, USD_TO_MICROS, 'USD');
}

/** Returns the credits (tonnes) as the nearest JSON number: exact to the gram up to 2^33 credits. */
export function creditsFromGrams(grams: bigint): number {
  return unscale(grams, CREDIT_TO_GRAMS);
}

/** Returns the US dollars as the nearest JSON number: exact to the micro-dollar up to 2^33 dollars. */
export function usdFromMicros(micros: bigint): number {
  return unscale(micros, USD_TO_MICROS);
}

/** Returns the cost in micros of `grams` at `priceMicros` per credit: grams × price ÷ 10⁶, rounded half up. */
export function costMicros(grams: bigint, priceMicros: bigint): bigint {
  return (grams * priceMicros + MICROS_PER_PRICE / 2n) / MICROS_PER_PRICE;
}

/** Whether `value` has at most `places` decimals in its shortest decimal text. */
export function hasDecimals(value: number, places: number): boolean {
  return Number.isFinite(value) && !scale(value, places).rest;
}

function exact(value: number, places: number, unit: string): bigint {
  const { whole, rest } = scale(value, places);
  if (rest) throw new RangeError(`${value} ${unit} has more than ${places} decimals`);
  return whole;
}

/** `value` × 10^places, split into its whole part (towards zero) and whether anything was left over. */
function scale(value: number, places: number): { whole: bigint; rest: boolean } {
  if (!Number.isFinite(value)) throw new RangeError(`${value} is not a finite number`);
  const [mantissa = '', exponent = '0'] = String(value).split('e');
  const [units = '', decimals = ''] = mantissa.split('.');
  const shift = places + Number(exponent) - decimals.length;
  const digits = BigInt(units + decimals);
  if (shift >= 0) return { whole: digits * 10n ** BigInt(shift), rest: false };
  const divisor = 10n ** BigInt(-shift);
  return { whole: digits / divisor, rest: digits % divisor !== 0n };
}

function unscale(value: bigint, places: number): number {
  const negative = value < 0n;
  const digits = (negative ? -value : value).toString().padStart(places + 1, '0');
  const text = `${digits.slice(0, -places)}.${digits.slice(-places)}`;
  return Number(negative ? `-${text}` : text);
}
