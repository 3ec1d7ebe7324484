import { z } from 'zod';
import { type Setting, type SettingMeta, setting } from '../setting.js';

const BROKER = /^(?:\[[0-9a-fA-F:]+\]|[A-Za-z0-9._-]+):\d{1,5}$/;

/** Kafka brokers as `host:port`, separated by commas. */
export function brokers(fallback?: string): Setting<readonly string[]> {
  const error = 'must be one or more host:port, separated by commas';
  const schema = z
    .string()
    .transform((list) => list.split(',').map((broker) => broker.trim()))
    .refine((list) => list.every((broker) => BROKER.test(broker)), { error });
  const description = 'The Kafka brokers, as host:port, separated by commas.';
  return setting(schema, { description, example: '127.0.0.1:29092', ...(fallback !== undefined && { fallback }) });
}

/** An address with one of the given schemes, such as `['http', 'https']`; without a slash at its end. */
export function url(schemes: readonly string[], meta: SettingMeta & { readonly fallback?: string }): Setting<string> {
  const error = `must be an address that begins with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`;
  const schema = z
    .string()
    .refine((value) => URL.canParse(value) && schemes.includes(new URL(value).protocol.slice(0, -1)), { error })
    .transform((value) => value.replace(/\/$/, ''));
  return setting(schema, meta);
}

/** The same, one or more separated by commas; as one text. */
export function urls(schemes: readonly string[], meta: SettingMeta & { readonly fallback?: string }): Setting<string> {
  const error = `must be an address that begins with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}, or several separated by commas`;
  const isOne = (value: string) => URL.canParse(value) && schemes.includes(new URL(value).protocol.slice(0, -1));
  const schema = z
    .string()
    .transform((list) => list.split(',').map((value) => value.trim().replace(/\/$/, '')))
    .refine((list) => list.every(isOne), { error })
    .transform((list) => list.join());
  return setting(schema, meta);
}

/**
 * Origins of web pages (`https://shop.example`, with the port where it is not the usual one), separated by commas. Written
 * as browsers send them, so that they can be compared as text. There is no `*`: a list says who is meant.
 */
export function origins(description: string): Setting<readonly string[]> {
  const error = 'must be origins such as https://shop.example, without a path, separated by commas; * is not one';
  const schema = z
    .string()
    .transform((list) => list.split(',').map((origin) => origin.trim()))
    .refine((list) => list.every(isOrigin), { error });
  return setting(schema, { description, example: 'https://shop.example' });
}

function isOrigin(text: string): boolean {
  return /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text;
}
