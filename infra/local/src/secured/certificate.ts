import { createPublicKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isIP } from 'node:net';

// X.509 version 3 in DER (RFC 5280), as far as a test authority needs it, with P-256 keys.

const OID = {
  commonName: '2.5.4.3',
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
  basicConstraints: '2.5.29.19',
  subjectAltName: '2.5.29.17',
};
const TAG = { boolean: 0x01, integer: 0x02, bits: 0x03, octets: 0x04, oid: 0x06, utf8: 0x0c, time: 0x17 } as const;
const SEQUENCE = 0x30;
const SET = 0x31;
const DAY_MS = 86_400_000;

/** A certificate and its private key, as PEM. */
export interface Certificate {
  readonly certificate: string;
  readonly key: string;
}

/** The content of a certificate. */
export interface CertificateRequest {
  readonly name: string;
  /** Host names and IP addresses. */
  readonly hosts?: readonly string[];
  /** When it expires, in days from now; negative for one that has expired. */
  readonly days?: number;
}

/** A certificate authority for the engines of a test. Its key is never written to disk. */
export class CertificateAuthority {
  /** PEM. */
  readonly certificate: string;
  private readonly keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });

  constructor(private readonly name = 'Test authority') {
    const extensions = [extension(OID.basicConstraints, sequence(der(TAG.boolean, Buffer.from([0xff]))), true)];
    this.certificate = this.sign(name, this.keys.publicKey, 30, extensions);
  }

  issue({ name, hosts = [], days = 30 }: CertificateRequest): Certificate {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const extensions =
      hosts.length === 0 ? [] : [extension(OID.subjectAltName, sequence(...hosts.map(alternativeName)))];
    return {
      certificate: this.sign(name, publicKey, days, extensions),
      key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    };
  }

  private sign(subject: string, key: KeyObject, days: number, extensions: readonly Buffer[]): string {
    const algorithm = sequence(objectId(OID.ecdsaWithSha256));
    const until = Date.now() + days * DAY_MS;
    const content = sequence(
      der(0xa0, der(TAG.integer, Buffer.from([2]))),
      der(TAG.integer, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
      algorithm,
      distinguishedName(this.name),
      sequence(time(Math.min(Date.now(), until) - DAY_MS), time(until)),
      distinguishedName(subject),
      createPublicKey(key.export({ type: 'spki', format: 'pem' })).export({ type: 'spki', format: 'der' }),
      ...(extensions.length === 0 ? [] : [der(0xa3, sequence(...extensions))]),
    );
    const signature = der(TAG.bits, Buffer.from([0]), sign('sha256', content, this.keys.privateKey));
    const base64 = sequence(content, algorithm, signature).toString('base64');
    return `-----BEGIN CERTIFICATE-----\n${base64.replace(/.{1,64}/g, '$&\n')}-----END CERTIFICATE-----\n`;
  }
}

function der(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  if (length < 0x80) return Buffer.concat([Buffer.from([tag, length]), content]);
  const bytes = length < 0x100 ? [length] : [length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, 0x80 | bytes.length, ...bytes]), content]);
}

function sequence(...contents: readonly Buffer[]): Buffer {
  return der(SEQUENCE, ...contents);
}

function objectId(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return der(TAG.oid, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

/** The highest seven bits first; all but the last byte have the eighth bit set. */
function base128(number: number): number[] {
  const bytes = [number & 0x7f];
  for (let rest = number >> 7; rest > 0; rest >>= 7) bytes.unshift((rest & 0x7f) | 0x80);
  return bytes;
}

function distinguishedName(name: string): Buffer {
  return sequence(der(SET, sequence(objectId(OID.commonName), der(TAG.utf8, Buffer.from(name)))));
}

/** UTCTime, `YYMMDDHHMMSSZ`. */
function time(ms: number): Buffer {
  const digits = new Date(ms).toISOString().replaceAll(/[-:T]/g, '');
  return der(TAG.time, Buffer.from(`${digits.slice(2, 14)}Z`));
}

function extension(id: string, value: Buffer, isCritical = false): Buffer {
  const critical = isCritical ? [der(TAG.boolean, Buffer.from([0xff]))] : [];
  return sequence(objectId(id), ...critical, der(TAG.octets, value));
}

function alternativeName(host: string): Buffer {
  return isIP(host) === 4 ? der(0x87, Buffer.from(host.split('.').map(Number))) : der(0x82, Buffer.from(host));
}
