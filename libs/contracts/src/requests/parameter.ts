import { z } from 'zod';

/** How one query parameter is read. */
export interface Parameter<T = unknown, Required extends boolean = boolean> {
  /** Reads the decoded text; its messages complete the sentence "<name> …". */
  readonly schema: z.ZodType<T, string>;
  readonly required: Required;
  /** Whether an empty value is a value; else it is a mistake. */
  readonly mayBeEmpty: boolean;
}

/** The parameters of a route, by name. */
export type ParameterSpec = Readonly<Record<string, Parameter>>;

/** What reading a spec gives: required ones always, the others when they were sent. */
export type Parameters<S extends ParameterSpec> = {
  readonly [K in keyof S as S[K] extends Parameter<unknown, true> ? K : never]: z.output<S[K]['schema']>;
} & {
  readonly [K in keyof S as S[K] extends Parameter<unknown, true> ? never : K]?: z.output<S[K]['schema']>;
};

interface Emptiness {
  readonly mayBeEmpty?: boolean;
}

/** A parameter that must be sent. */
export function required<T>(schema: z.ZodType<T, string>, { mayBeEmpty = false }: Emptiness = {}): Parameter<T, true> {
  return { schema, required: true, mayBeEmpty };
}

/** A parameter that may be left out. */
export function optional<T>(schema: z.ZodType<T, string>, { mayBeEmpty = false }: Emptiness = {}): Parameter<T, false> {
  return { schema, required: false, mayBeEmpty };
}

/** An integer from `min` to `max`, written in plain decimal digits. */
export function wholeNumber(min: number, max: number): z.ZodType<number, string> {
  const error = `must be an integer from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,15}$/, { error, abort: true })
    .transform(Number)
    .refine((value) => value >= min && value <= max, { error })
    .meta({ type: 'integer', minimum: min, maximum: max });
}
