import { isNativeError } from 'node:util/types';

/** The names of the settings of one engine, for hints. */
export interface ConnectionSettings {
  /** The name of the engine. */
  readonly engine: string;
  /** The setting with the engine's address. */
  readonly address: string;
  /** The assignments that switch TLS on and off. */
  readonly tlsOn: string;
  readonly tlsOff: string;
  /** The setting with the file of the certificate authorities. */
  readonly ca: string;
  /** The settings with the client certificate and its key. */
  readonly certificate: string;
}

type Hint = (settings: ConnectionSettings) => string;

/** Messages of OpenSSL and Node, and their hints. The first match wins. */
const HINTS: readonly (readonly [RegExp, Hint])[] = [
  [
    /answered with a TLS alert|ssl is not enabled|pg_hba\.conf.*no encryption/i,
    ({ engine, tlsOn }) => `${engine} requires TLS at this address: set ${tlsOn}.`,
  ],
  [
    /alert (bad certificate|certificate|unknown ca|handshake failure)|certificate_required|connection requires a valid client certificate/i,
    ({ engine, certificate }) =>
      `${engine} rejects the client certificate: ${certificate} must name one that its authorities signed and that has not expired.`,
  ],
  [
    /unable to (verify|get)|self[- ]signed certificate|certificate signature failure|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO/,
    ({ engine, ca }) =>
      `The certificate of ${engine} is signed by an untrusted authority: set ${ca} to the file with the certificate of that authority.`,
  ],
  [
    /certificate has expired|CERT_HAS_EXPIRED/,
    ({ engine }) => `The certificate of ${engine} has expired: renew it, and check the clock of this machine.`,
  ],
  [
    /certificate is not yet valid|CERT_NOT_YET_VALID/,
    ({ engine }) =>
      `The certificate of ${engine} is not valid yet: check the clock of this machine and the certificate.`,
  ],
  [
    /does not match certificate's altnames|ALTNAME_INVALID/,
    ({ engine, address }) =>
      `The certificate of ${engine} is for another host name: use one of its names in ${address} (and in the addresses that ${engine} advertises), or issue one for this name.`,
  ],
  [
    /wrong version number|packet length too long|before secure TLS connection|does not support SSL|unsupported protocol/i,
    ({ engine, address, tlsOff }) =>
      `${engine} does not speak TLS at this address: set ${address} to its TLS port, or set ${tlsOff}.`,
  ],
  [
    /key values mismatch|no start line|bad base64|PEM routines/i,
    ({ ca, certificate }) => `${ca} and ${certificate} must contain PEM, and the key must belong to the certificate.`,
  ],
];

/** Returns a hint for a connection that failed because of TLS; undefined for any other reason. */
export function tlsAdvice(text: string, settings: ConnectionSettings): string | undefined {
  return HINTS.find(([pattern]) => pattern.test(text))?.[1](settings);
}

/** Returns the names, messages and codes of an error and its causes as one text. */
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
