// Verifies a receipt: node verify-receipt.mjs receipt.json [offset.json]. The page registry.md says what that proves.
// Exit code 0: it holds; 1: it does not hold; 2: there is no receipt to verify.
// Its `verify` uses only what browsers have too, so the console runs the same checks.

const MICRO = 1e6;
const HASH = /^[0-9a-f]{64}$/;
const bytesOf = (text) => new TextEncoder().encode(text);
const bytesOfHex = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
const isText = (value) => typeof value === 'string' && value !== '';
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

async function sha256(...parts) {
  const bytes = Uint8Array.from(parts.flatMap((part) => [...part]));
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** A decimal in whole millionths; undefined for what has more digits, or is no amount. */
function micros(decimal) {
  const rounded = typeof decimal === 'number' ? Math.round(decimal * MICRO) : Number.NaN;
  return rounded >= 0 && rounded / MICRO === decimal ? BigInt(rounded) : undefined;
}

function isTime(text) {
  return isText(text) && !Number.isNaN(Date.parse(text)) && new Date(text).toISOString() === text;
}

/** What is wrong with an entry, the first of it; undefined if there is none. */
async function entryError(offset, entry) {
  if (!isObject(entry)) return 'is not an object';
  const { asset, sequence, credits, price, at, previousHash, hash } = entry;
  const [grams, priceMicros] = [micros(credits), micros(price)];
  if (!isText(asset)) return 'has no asset';
  if (!Number.isSafeInteger(sequence) || sequence < 1) return 'has a sequence that is not a whole number from 1';
  if (!grams) return 'has credits that are not whole grams above 0';
  if (priceMicros === undefined) return 'has a price that is not in whole millionths';
  if (!isTime(at)) return 'has a time that is not in UTC with milliseconds';
  if (![previousHash, hash].every((text) => isText(text) && HASH.test(text))) return 'has a hash that is not SHA-256';
  if (sequence === 1 && previousHash !== (await sha256(bytesOf(asset))))
    return 'is the first of its asset, but continues another hash';
  const text = { asset, at, grams: `${grams}`, offset, priceMicros: `${priceMicros}`, sequence: `${sequence}` };
  if ((await sha256(bytesOfHex(previousHash), bytesOf(JSON.stringify(text)))) !== hash)
    return 'does not have the hash it states';
  return undefined;
}

/** What the receipt and the record of its offset disagree about; undefined if nothing. */
function disagreement({ offset, entries }, record) {
  if (!isObject(record) || record.id !== offset) return 'the record is of another offset';
  if (record.status !== 'completed') return `the offset is ${record.status}`;
  const sum = entries.reduce((total, { credits }) => total + micros(credits), 0n);
  if (sum !== micros(record.credits)) return `${Number(sum) / MICRO} credits are retired, not ${record.credits}`;
  // Rounded up to the gram; the tolerance is that of a double.
  const surplusGrams = Number(sum) - record.kgCO2e * 1000;
  const tolerance = 2 * Number.EPSILON * Number(sum);
  if (!(surplusGrams >= -tolerance && surplusGrams < 1 + tolerance))
    return 'the credits are not the weight, rounded up';
  const lines = (all) => JSON.stringify(all.map(({ asset, credits, price }) => [asset, credits, price]).sort());
  if (!Array.isArray(record.retirements) || lines(entries) !== lines(record.retirements))
    return 'the entries are not the retirements of the record';
  return undefined;
}

/** Returns why the receipt does not hold; undefined if it holds. Compares it with the offset's record, if there is one. */
export async function verify(receipt, record) {
  const { offset, status, entries } = receipt;
  if (!isText(offset)) return 'it names no offset';
  // Receipts of older versions have no status.
  if (status !== undefined && status !== 'completed') return `it has entries, but its offset is ${status}`;
  if (entries.length === 0) return 'it has no entries';
  for (const [at, entry] of entries.entries()) {
    const reason = await entryError(offset, entry);
    if (reason) return `entry ${at + 1} ${reason}`;
  }
  if (new Set(entries.map(({ asset }) => asset)).size < entries.length) return 'an asset has more than one entry';
  return record === undefined ? undefined : disagreement(receipt, record);
}

function end(code, sentence) {
  console.log(sentence);
  process.exit(code);
}

function read(path) {
  try {
    return JSON.parse(process.getBuiltinModule('node:fs').readFileSync(path, 'utf8'));
  } catch (error) {
    return end(2, `no receipt: ${error.message}`);
  }
}

async function main([receiptPath = '-', recordPath]) {
  const receipt = read(receiptPath === '-' ? 0 : receiptPath);
  if (!isObject(receipt) || !Array.isArray(receipt.entries))
    end(2, `no receipt: ${receipt?.code ? `the response was ${receipt.code}` : 'the input has no entries'}`);
  if (receipt.entries.length === 0 && isText(receipt.status) && receipt.status !== 'completed')
    end(2, `no receipt: the offset is ${receipt.status}`);
  const reason = await verify(receipt, recordPath === undefined ? undefined : read(recordPath));
  if (reason) end(1, `does not hold: ${reason}`);
  end(0, recordPath ? 'holds, and is of the weight of the offset' : 'holds; the weight of the offset was not compared');
}

// A page imports `verify`; everywhere else this file is the program.
if (typeof document === 'undefined') await main(process.argv.slice(2));
