import { accessSync, constants } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';

/** The documentation of a setting, for docs/configuration.md and .env.example. */
export interface SettingMeta {
  /** One or two sentences with the purpose and the unit. */
  readonly description: string;
  /** Never printed, and readable from the file named by `<NAME>_FILE`. */
  readonly secret?: boolean;
  /** A value to copy when there is no default. */
  readonly example?: string;
  /** The allowed values, if a range or a list of words describes them. */
  readonly values?: string;
}

/** Settings by the name of their environment variable. */
export type SettingsSchema = z.ZodObject<Readonly<Record<string, z.ZodType>>>;

/** A setting parsed from text. Its error messages complete the sentence "<NAME> …". */
export type Setting<T> = z.ZodType<T, string | undefined>;

type Meta = SettingMeta & { readonly fallback?: string };

/** Adds the documentation of a setting and, with `fallback`, the text that is parsed when it is not set. */
export function setting<T>(schema: z.ZodType<T, string>, { fallback, ...meta }: Meta): Setting<T> {
  return (fallback === undefined ? schema : schema.prefault(fallback)).meta(meta);
}

/** Returns the documentation of a setting, of wrapped schemas too; the outermost wins. */
export function metaOf(schema: z.ZodType): Partial<SettingMeta> {
  const own = schema.meta() as Partial<SettingMeta> | undefined;
  return { ...(isWrapper(schema) ? metaOf(schema.unwrap() as z.ZodType) : {}), ...own };
}

/** Returns the default text of a setting; undefined when it has none. */
export function fallbackOf(schema: z.ZodType): string | undefined {
  if (schema instanceof z.ZodPrefault || schema instanceof z.ZodDefault) return String(schema.def.defaultValue);
  return isWrapper(schema) ? fallbackOf(schema.unwrap() as z.ZodType) : undefined;
}

function isWrapper(schema: z.ZodType) {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodPrefault || schema instanceof z.ZodDefault;
}

/** Text that matches a pattern; `expected` completes "must be …". */
export function text(pattern: RegExp, expected: string, meta: Meta): Setting<string> {
  return setting(z.string().regex(pattern, { error: `must be ${expected}` }), meta);
}

/** One of some words. */
export function choice<const T extends string>(words: readonly T[], meta: Meta): Setting<T> {
  const schema = z.enum(words, { error: `must be one of ${words.join(', ')}` }) as z.ZodType<T, string>;
  return setting(schema, { ...meta, values: words.join(', ') });
}

/** An integer from `min` to `max`. */
export function integer(min: number, max: number, meta: Meta): Setting<number> {
  const error = `must be an integer from ${min} to ${max}`;
  const schema = z
    .string()
    .regex(/^-?\d{1,15}$/, { error, abort: true })
    .transform(Number)
    .refine((value) => value >= min && value <= max, { error });
  return setting(schema, { ...meta, values: `${min} to ${max}` });
}

/** A TCP port; 0 lets the system choose one. */
export function port(
  fallback: number,
  description = 'The port it listens on; 0 lets the system choose.',
): Setting<number> {
  return integer(0, 65_535, { description, fallback: String(fallback) });
}

/** A time in milliseconds. */
export function milliseconds(
  fallback: number,
  description: string,
  { min = 1, max = 86_400_000 } = {},
): Setting<number> {
  return integer(min, max, { description, fallback: String(fallback) });
}

/** A size in bytes. */
export function bytes(fallback: number, description: string, { min = 1, max = 2 ** 30 } = {}): Setting<number> {
  return integer(min, max, { description, fallback: String(fallback) });
}

/** "true" or "false". */
export function flag(fallback: boolean, description: string): Setting<boolean> {
  const schema = z.enum(['true', 'false'], { error: 'must be true or false' }).transform((word) => word === 'true');
  return setting(schema as z.ZodType<boolean, string>, {
    description,
    fallback: String(fallback),
    values: 'true, false',
  });
}

/** kafkajs ends the host at the first colon, so an IPv6 address needs a name. */
const BROKER = /^[A-Za-z0-9._-]+:(\d{1,5})$/;

function isBroker(text: string): boolean {
  const port = Number(BROKER.exec(text)?.[1]);
  return port >= 1 && port <= 65_535;
}

/** Kafka brokers as `host:port`, separated by commas. */
export function brokers(fallback?: string): Setting<readonly string[]> {
  const error = 'must be one or more host:port, separated by commas';
  const description = 'The Kafka brokers, as host:port, separated by commas.';
  const schema = listOf(isBroker, error);
  return setting(schema, { description, example: '127.0.0.1:29092', ...(fallback !== undefined && { fallback }) });
}

/** A URL with one of some schemes, such as `['http', 'https']`, without a trailing slash. */
export function url(schemes: readonly string[], meta: Meta): Setting<string> {
  const schema = z
    .string()
    .refine((value) => hasScheme(value, schemes), { error: urlError(schemes) })
    .transform(withoutSlash);
  return setting(schema, meta);
}

/** One or more such URLs, separated by commas, as one text. */
export function urls(schemes: readonly string[], meta: Meta): Setting<string> {
  const error = `${urlError(schemes)}, or several separated by commas`;
  const schema = listOf((value) => hasScheme(value, schemes), error).transform((list) => list.map(withoutSlash).join());
  return setting(schema, meta);
}

/**
 * Origins of web pages (`https://shop.example`), separated by commas, exactly as browsers send them. There is no `*`: the
 * list names who is allowed.
 */
export function origins(description: string): Setting<readonly string[]> {
  const error = 'must be origins such as https://shop.example, without a path, separated by commas; * is not allowed';
  const isOrigin = (text: string) => /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text;
  return setting(listOf(isOrigin, error), { description, example: 'https://shop.example' });
}

function listOf(isValid: (item: string) => boolean, error: string) {
  return z
    .string()
    .transform((list): readonly string[] => list.split(',').map((item) => item.trim()))
    .refine((list) => list.every(isValid), { error });
}

function hasScheme(value: string, schemes: readonly string[]): boolean {
  return URL.canParse(value) && schemes.includes(new URL(value).protocol.slice(0, -1));
}

function withoutSlash(value: string): string {
  return value.replace(/\/$/, '');
}

function urlError(schemes: readonly string[]): string {
  return `must be a URL that begins with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`;
}

/** The absolute path of a file that is readable at the start. */
export function readableFile(meta: SettingMeta): Setting<string> {
  const schema = z
    .string()
    .transform((path) => resolve(path))
    .superRefine((path, context) => {
      const reason = readError(path);
      if (reason === undefined) return;
      const message = `names a file that cannot be read (${reason}); check the path and its permissions`;
      context.addIssue({ code: 'custom', message });
    });
  return setting(schema, meta);
}

function readError(path: string): string | undefined {
  try {
    accessSync(path, constants.R_OK);
    return undefined;
  } catch (error) {
    return readErrorCode(error);
  }
}

/** Returns the code of an error of the file system, such as ENOENT. */
export function readErrorCode(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : String(error);
}

const SECRET_LENGTH = 32;
/** The characters that every header and every shell can hold. */
const VISIBLE_ASCII = /^[\x21-\x7e]*$/;
/** A long secret of few different characters is a placeholder. */
const MIN_DIFFERENT = 8;
const HOW_TO = '`npm start` makes one in .local/environment; elsewhere use `openssl rand -base64 48`';

/**
 * Secrets separated by commas: the first signs, all verify, so that secrets can be rotated. There is no default, because a
 * published secret protects nothing.
 */
export function secretList(purpose: string): Setting<readonly string[]> {
  const isStrong = (secret: string) =>
    secret.length >= SECRET_LENGTH && VISIBLE_ASCII.test(secret) && new Set(secret).size >= MIN_DIFFERENT;
  const schema = z
    .string({ error: `must be set to one or more secrets of at least ${SECRET_LENGTH} characters; ${HOW_TO}` })
    .transform((list): readonly string[] => list.split(',').map((secret) => secret.trim()))
    .refine((list) => list.every(isStrong), {
      error: `must contain secrets of at least ${SECRET_LENGTH} random characters, visible ASCII without spaces, separated by commas; ${HOW_TO}`,
    });
  const description = `${purpose} Secrets of at least ${SECRET_LENGTH} characters of visible ASCII, separated by commas: the first is used, all are accepted.`;
  return setting(schema, { description, secret: true });
}
