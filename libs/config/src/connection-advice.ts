import { isNativeError } from 'node:util/types';

/** The settings of one engine, by which advice names them. */
export interface ConnectionSettings {
  /** What the engine is called. */
  readonly engine: string;
  /** The setting that holds the engine's address. */
  readonly address: string;
  /** What switches TLS on, and off. */
  readonly tlsOn: string;
  readonly tlsOff: string;
  /** What names the file with the certificate authorities. */
  readonly ca: string;
  /** What names the client certificate and its key. */
  readonly certificate: string;
}

type Advice = (settings: ConnectionSettings) => string;

/** What OpenSSL and Node say, and what to do about it. The first that fits wins. */
const ADVICE: readonly (readonly [RegExp, Advice])[] = [
  [
    /answered with a TLS alert|ssl is not enabled|pg_hba\.conf.*no encryption/i,
    ({ engine, tlsOn }) => `${engine} expects TLS at this address: set ${tlsOn}.`,
  ],
  [
    /alert (bad certificate|certificate|unknown ca|handshake failure)|certificate_required|connection requires a valid client certificate/i,
    ({ engine, certificate }) =>
      `${engine} does not accept our client certificate: ${certificate} must name one that its authorities have signed and that has not expired.`,
  ],
  [
    /unable to (verify|get)|self[- ]signed certificate|certificate signature failure|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO/,
    ({ engine, ca }) =>
      `The certificate of ${engine} is signed by an authority that is not trusted here: set ${ca} to the file with that authority’s certificate.`,
  ],
  [
    /certificate has expired|CERT_HAS_EXPIRED/,
    ({ engine }) => `The certificate of ${engine} has expired: renew it there, and check this machine’s clock.`,
  ],
  [
    /certificate is not yet valid|CERT_NOT_YET_VALID/,
    ({ engine }) => `The certificate of ${engine} is not valid yet: check this machine’s clock, and the certificate.`,
  ],
  [
    /does not match certificate's altnames|ALTNAME_INVALID/,
    ({ engine, address }) =>
      `The certificate of ${engine} is for another host name: use a name that it holds in ${address} (and in the addresses that ${engine} itself tells), or issue one for this name.`,
  ],
  [
    /wrong version number|packet length too long|before secure TLS connection|does not support SSL|unsupported protocol/i,
    ({ engine, address, tlsOff }) =>
      `${engine} does not speak TLS at this address: name its TLS port in ${address}, or set ${tlsOff}.`,
  ],
  [
    /key values mismatch|no start line|bad base64|PEM routines/i,
    ({ ca, certificate }) => `${ca} and ${certificate} must hold PEM, and the key must belong to the certificate.`,
  ],
];

/** What a person can do about a failed connection, where TLS is the reason; undefined for any other reason. */
export function tlsAdvice(text: string, settings: ConnectionSettings): string | undefined {
  return ADVICE.find(([pattern]) => pattern.test(text))?.[1](settings);
}

/** The names, messages and codes of an error and of all that caused it, in one text. */
export function errorText(error: unknown): string {
  const parts: string[] = [];
  const seen = new Set<unknown>();
  const add = (one: unknown): void => {
    if (!isNativeError(one) || seen.has(one)) return;
    seen.add(one);
    parts.push(one.name, one.message, 'code' in one ? String(one.code) : '');
    if ('errors' in one && Array.isArray(one.errors)) one.errors.forEach(add);
    add(one.cause);
  };
  add(error);
  return parts.filter((part) => part !== '').join(' ');
}
