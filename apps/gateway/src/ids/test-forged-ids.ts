import { createHmac, randomInt } from 'node:crypto';
import { type IdPrefix, Ids } from '@carbon/contracts';
import { TEST_SECRETS } from '../test-gateway.js';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const { ID_SECRETS, IDEMPOTENCY_SECRETS } = TEST_SECRETS;
const own = new Ids({ ids: [ID_SECRETS], idempotency: [IDEMPOTENCY_SECRETS] });
/** Who had the secrets before they were changed, or has others, or has ours the wrong way round. */
const strangers = [
  new Ids({ ids: ['rotated out'], idempotency: ['rotated out as well'] }),
  new Ids({ ids: [IDEMPOTENCY_SECRETS], idempotency: [ID_SECRETS] }),
];

/** Makes ids of the right form that were not issued to the account "default", each kind in turn, every time others. */
export function forgedIds(prefix: IdPrefix, count: number): string[] {
  const kinds = [madeUp, bent, foreign, rotatedOut, byKey, wrongKind, wrongPrefix] as const;
  return Array.from({ length: count }, (_, n) => kinds[n % kinds.length]?.(prefix, n) ?? '');
}

function madeUp(prefix: IdPrefix): string {
  return `${prefix}_${Array.from({ length: 26 }, () => ALPHABET[randomInt(32)]).join('')}`;
}

function bent(prefix: IdPrefix, n: number): string {
  return fromBits(prefix, bitsOf(own.mint(prefix, 'default')) ^ (1n << BigInt(n % 130)));
}

function foreign(prefix: IdPrefix, n: number): string {
  return own.mint(prefix, `account-${n}`);
}

function rotatedOut(prefix: IdPrefix, n: number): string {
  return strangers[n % 2]?.mint(prefix, 'default') ?? '';
}

/** Another account's, or a stranger's; there are none of estimates, so these have the tag of an offset. */
function byKey(prefix: IdPrefix, n: number): string {
  const ids = [own, ...strangers][n % 3];
  return withPrefix(prefix, ids?.fromKey(ids === own ? 'other' : 'default', `order-${n}`) ?? '');
}

/** Of a kind that there is not, or of the other one's secret, under a sound tag. */
function wrongKind(prefix: IdPrefix, n: number): string {
  const body = bitsOf(own.mint(prefix, 'default')) & ((1n << 128n) - 1n);
  const [kind = 2n, secret = ''] =
    (
      [
        [2n, ID_SECRETS],
        [3n, IDEMPOTENCY_SECRETS],
        [1n, ID_SECRETS],
        [0n, IDEMPOTENCY_SECRETS],
      ] as const
    )[n % 4] ?? [];
  return sealed(prefix, secret, (kind << 88n) | (body >> 40n));
}

function wrongPrefix(prefix: IdPrefix): string {
  return withPrefix(prefix, own.mint(prefix === 'off' ? 'est' : 'off', 'default'));
}

function withPrefix(prefix: IdPrefix, id: string): string {
  return `${prefix}_${id.slice(4)}`;
}

/** As ids are sealed: the tag is the first 40 bits of an HMAC over prefix, account and head, each with its length. */
function sealed(prefix: IdPrefix, secret: string, head: bigint): string {
  const hmac = createHmac('sha256', secret);
  for (const part of [Buffer.from(prefix), Buffer.from('default'), Buffer.from(hex(head, 24), 'hex')]) {
    hmac.update(Buffer.from([0, 0, 0, part.length])).update(part);
  }
  return fromBits(prefix, (head << 40n) | BigInt(`0x${hmac.digest('hex').slice(0, 10)}`));
}

function hex(bits: bigint, digits: number): string {
  return bits.toString(16).padStart(digits, '0');
}

function bitsOf(id: string): bigint {
  return [...id.slice(4)].reduce((bits, letter) => (bits << 5n) | BigInt(ALPHABET.indexOf(letter)), 0n);
}

function fromBits(prefix: IdPrefix, bits: bigint): string {
  const letters = Array.from({ length: 26 }, (_, n) => ALPHABET[Number((bits >> BigInt(5 * (25 - n))) & 31n)]);
  return `${prefix}_${letters.join('')}`;
}
