import { z } from 'zod';
import { type Setting, type SettingMeta, setting } from '../setting.js';

type Meta = SettingMeta & { readonly fallback?: string };

/** Text that matches a pattern; `expected` completes "must be …". */
export function text(pattern: RegExp, expected: string, meta: Meta): Setting<string> {
  return setting(z.string().regex(pattern, { error: `must be ${expected}` }), meta);
}

/** One of a few words. */
export function choice<const T extends string>(words: readonly T[], meta: Meta): Setting<T> {
  return setting(z.enum(words, { error: `must be one of ${words.join(', ')}` }) as z.ZodType<T, string>, meta);
}

/** A whole number from `min` to `max`. */
export function whole(min: number, max: number, meta: Meta): Setting<number> {
  const error = `must be an integer from ${min} to ${max}`;
  const schema = z
    .string()
    .regex(/^-?\d{1,15}$/, { error, abort: true })
    .transform(Number)
    .refine((value) => value >= min && value <= max, { error });
  return setting(schema, meta);
}

/** A TCP port; 0 lets the system choose one. */
export function port(
  fallback: number,
  description = 'The port it listens on; 0 lets the system choose.',
): Setting<number> {
  return whole(0, 65_535, { description, fallback: String(fallback) });
}

/** A time in milliseconds. */
export function milliseconds(
  fallback: number,
  description: string,
  { min = 1, max = 86_400_000 } = {},
): Setting<number> {
  return whole(min, max, { description, fallback: String(fallback) });
}

/** A size in bytes. */
export function bytes(fallback: number, description: string, { min = 1, max = 2 ** 30 } = {}): Setting<number> {
  return whole(min, max, { description, fallback: String(fallback) });
}

/** "true" or "false". */
export function flag(fallback: boolean, description: string): Setting<boolean> {
  const schema = z.enum(['true', 'false'], { error: 'must be true or false' }).transform((word) => word === 'true');
  return setting(schema as z.ZodType<boolean, string>, { description, fallback: String(fallback) });
}
