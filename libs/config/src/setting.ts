import { z } from 'zod';

/** What a setting says about itself beside its type; it becomes docs/configuration.md and .env.example. */
export interface SettingMeta {
  /** One or two sentences: what it does, in which unit. */
  readonly description: string;
  /** Never printed, and readable from the file named by `<NAME>_FILE`. */
  readonly secret?: boolean;
  /** A value to copy where there is no default. */
  readonly example?: string;
}

/** Settings by their environment name. */
export type SettingsSchema = z.ZodObject<Readonly<Record<string, z.ZodType>>>;

/** A setting read from text. Its messages complete the sentence "<NAME> …". */
export type Setting<T> = z.ZodType<T, string | undefined>;

/** Adds what a setting says about itself; with `fallback`, the text that is read when it is not set. */
export function setting<T>(
  schema: z.ZodType<T, string>,
  meta: SettingMeta & { readonly fallback?: string },
): Setting<T> {
  const { fallback, ...about } = meta;
  return (fallback === undefined ? schema : schema.prefault(fallback)).meta({ ...about });
}

/** The description and marks of a setting, those of wrapped schemas included; the outermost wins. */
export function metaOf(schema: z.ZodType): Partial<SettingMeta> {
  // Whatever else an app lets its schemas say about themselves, a setting says this.
  const own = schema.meta() as Partial<SettingMeta> | undefined;
  return { ...(wraps(schema) ? metaOf(schema.unwrap() as z.ZodType) : {}), ...own };
}

/** The text a setting falls back to; undefined when it has no default. */
export function fallbackOf(schema: z.ZodType): string | undefined {
  if (schema instanceof z.ZodPrefault || schema instanceof z.ZodDefault) return String(schema.def.defaultValue);
  return wraps(schema) ? fallbackOf(schema.unwrap() as z.ZodType) : undefined;
}

/** Whether the apps start without the setting. */
export function mayBeAbsent(schema: z.ZodType): boolean {
  return schema.safeParse(undefined).success;
}

function wraps(schema: z.ZodType) {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodPrefault || schema instanceof z.ZodDefault;
}
