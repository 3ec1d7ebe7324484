// Verifies a receipt: node verify-receipt.mjs receipt.json [offset.json]. The page registry.md says what that proves.
// Exit code 0: it holds; 1: it does not hold; 2: an input is no receipt, or no offset.
// Its `verify` uses only what browsers have too, so the console runs the same checks.

const USAGE = `Usage: node verify-receipt.mjs [receipt.json [offset.json]]
Verifies a receipt (GET /v1/retirements?offset=<id>; - or nothing for standard
input), and compares it with its offset (GET /v1/offsets?id=<id>) if that is named.
Exit codes: 0 it holds, 1 it does not hold, 2 an input is no receipt, or no offset.`;
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
  const { asset, vintages = [], sequence, credits, price, at, previousHash, hash, reference = '-' } = entry;
  const [grams, priceMicros] = [micros(credits), micros(price)];
  if (!isText(asset)) return 'has no asset';
  if (!Number.isSafeInteger(sequence) || sequence < 1) return 'has a sequence that is not a whole number from 1';
  if (!grams) return 'has credits that are not whole grams above 0';
  if (priceMicros === undefined) return 'has a price that is not in whole millionths';
  if (!isTime(at)) return 'has a time that is not in UTC with milliseconds';
  if (!Array.isArray(vintages) || !vintages.every(Number.isSafeInteger)) return 'has vintages that are not years';
  if (!isText(reference)) return 'has a reference that is not a text';
  if (![previousHash, hash].every((text) => isText(text) && HASH.test(text))) return 'has a hash that is not SHA-256';
  const isStart = previousHash === (await sha256(bytesOf(asset)));
  if (sequence === 1 && !isStart) return 'is the first of its asset, but continues another hash';
  if (sequence > 1 && isStart) return 'is not the first of its asset, but continues the hash that begins its chain';
  const text = { asset, at, grams: `${grams}`, offset, priceMicros: `${priceMicros}`, sequence: `${sequence}` };
  if ((await sha256(bytesOfHex(previousHash), bytesOf(JSON.stringify(text)))) !== hash)
    return 'does not have the hash it states';
  return undefined;
}

/** The cost of a line in whole millionths, rounded half up. */
function costOf({ credits, price }) {
  return (micros(credits) * micros(price) + BigInt(MICRO / 2)) / BigInt(MICRO);
}

/** Whether an amount is this many millionths, as far as a double can tell. */
function isAmount(amount, millionths) {
  return Math.abs(amount * MICRO - Number(millionths)) <= 2 * Number.EPSILON * Number(millionths);
}

/** What the receipt and the record of its offset disagree about; undefined if nothing. */
function disagreement({ offset, entries }, record) {
  if (!isObject(record) || record.id !== offset) return 'the record is of another offset';
  if (record.status !== 'completed') return `the offset is ${record.status}`;
  const { kgCO2e, credits, creditsMatched, cost, completedAt, retirements } = record;
  if (![kgCO2e, credits, creditsMatched, cost].every(Number.isFinite))
    return 'a weight, the credits or the cost of the record is not a number';
  const total = (amounts) => amounts.reduce((sum, amount) => sum + amount, 0n);
  const grams = total(entries.map((entry) => micros(entry.credits)));
  const other = [credits, creditsMatched].find((stated) => micros(stated) !== grams);
  if (other !== undefined) return `${Number(grams) / MICRO} credits are retired, not ${other}`;
  // Rounded up to the gram; the tolerance is that of a double.
  const surplusGrams = Number(grams) - kgCO2e * 1000;
  const tolerance = 2 * Number.EPSILON * Number(grams);
  if (!(surplusGrams >= -tolerance && surplusGrams < 1 + tolerance))
    return 'the credits are not the weight, rounded up';
  const lines = (all) => JSON.stringify(all.map(({ asset, credits, price }) => [asset, credits, price]).sort());
  if (!Array.isArray(retirements) || !retirements.every(isObject) || lines(entries) !== lines(retirements))
    return 'the entries are not the retirements of the record';
  if (!retirements.every((line) => isAmount(line.cost, costOf(line))) || !isAmount(cost, total(entries.map(costOf))))
    return 'the cost of the record is not that of the entries at their prices';
  if (entries.some(({ at }) => at !== completedAt)) return 'an entry is not of the time when the offset was completed';
  return undefined;
}

/** Returns why the receipt does not hold; undefined if it holds. Compares it with the offset's record, if there is one. */
export async function verify(receipt, record) {
  const { offset, status, entries } = receipt;
  if (!isText(offset)) return 'it names no offset';
  if (!isText(status)) return 'its status is missing';
  if (status !== 'completed') return `it has entries, but its offset is ${status}`;
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

function read(path, otherwise) {
  try {
    return JSON.parse(process.getBuiltinModule('node:fs').readFileSync(path, 'utf8'));
  } catch (error) {
    return end(2, `${otherwise}: ${error.message}`);
  }
}

function readReceipt(path) {
  const receipt = read(path, 'no receipt');
  if (!isObject(receipt) || !Array.isArray(receipt.entries))
    end(2, `no receipt: ${receipt?.code ? `the response was ${receipt.code}` : 'the input has no entries'}`);
  if (receipt.entries.length === 0 && isText(receipt.status) && receipt.status !== 'completed')
    end(2, `no receipt: the offset is ${receipt.status}`);
  return receipt;
}

function readRecord(path) {
  const record = read(path, `no offset in ${path}`);
  if (!isObject(record) || !isText(record.id) || !isText(record.status))
    end(2, `no offset in ${path}: ${record?.code ? `the response was ${record.code}` : 'it has no id and status'}`);
  return record;
}

async function main(args) {
  if (args.includes('--help') || args.includes('-h')) end(0, USAGE);
  if (args.length > 2) end(2, USAGE);
  const [receiptPath = '-', recordPath] = args;
  const receipt = readReceipt(receiptPath === '-' ? 0 : receiptPath);
  const reason = await verify(receipt, recordPath === undefined ? undefined : readRecord(recordPath));
  if (reason) end(1, `does not hold: ${reason}`);
  end(0, recordPath ? 'holds, and is of the weight of the offset' : 'holds; the weight of the offset was not compared');
}

// A page imports `verify`; everywhere else this file is the program.
if (typeof document === 'undefined') await main(process.argv.slice(2));
