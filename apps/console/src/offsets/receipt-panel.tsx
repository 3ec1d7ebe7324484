import type { Offset, Receipt } from '@carbon/client';
import { useQuery } from '@tanstack/react-query';
import { download } from '../page/download.js';
import { dollarText, numberText, timeText, yearsText } from '../page/format.js';
import { Problem } from '../page/problem.js';
import { AssetName } from '../search/asset-name.js';
import { useSession } from '../session/session.js';
import { reasonAgainst } from './verify.js';

/** The receipt of a completed offset, verified in the browser, to print. */
export function ReceiptPanel({ offset }: { readonly offset: Offset }) {
  const { carbon } = useSession();
  const receipt = useQuery({
    queryKey: ['receipt', offset.id],
    queryFn: ({ signal }) => carbon.offsets.receipt(offset.id, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <section className="card receipt" aria-labelledby="receipt-title">
      <h2 id="receipt-title">Receipt</h2>
      {receipt.error !== null && <Problem error={receipt.error} retry={() => void receipt.refetch()} />}
      {receipt.data !== undefined && (
        <>
          <Entries receipt={receipt.data} />
          <Verification receipt={receipt.data} offset={offset} />
          <div className="tools unprinted">
            <button type="button" onClick={() => print()}>
              Print
            </button>
            <button type="button" onClick={() => save(receipt.data)}>
              Save as JSON
            </button>
          </div>
        </>
      )}
    </section>
  );
}

function save(receipt: Receipt): void {
  download(`receipt-${receipt.offset}.json`, `${JSON.stringify(receipt, null, 2)}\n`, 'application/json');
}

function Entries({ receipt: { entries } }: { readonly receipt: Receipt }) {
  return (
    <ol className="entries">
      {entries.map(({ asset, vintages, sequence, credits, price, at, previousHash, hash, reference }) => (
        <li key={asset}>
          <p>
            <strong>{numberText(credits, 't')}</strong> of <AssetName id={asset} />
            {vintages !== undefined && `, ${vintages.length === 1 ? 'vintage' : 'vintages'} ${yearsText(vintages)},`} at{' '}
            {dollarText(price)} per tonne, retired on {timeText(at)}
            {reference !== undefined && `, reference ${reference}`}
          </p>
          <dl className="hashes">
            <dt>Entry {sequence} of the asset, hash</dt>
            <dd>{hash}</dd>
            <dt>continues</dt>
            <dd>{previousHash}</dd>
          </dl>
        </li>
      ))}
    </ol>
  );
}

function Verification({ receipt, offset }: { readonly receipt: Receipt; readonly offset: Offset }) {
  const canVerify = globalThis.crypto?.subtle !== undefined;
  const verified = useQuery({
    queryKey: ['verified', receipt],
    queryFn: async () => (await reasonAgainst(receipt, offset)) ?? '',
    enabled: canVerify,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (!canVerify) {
    return (
      <p className="verdict">
        Not verified: a browser computes hashes only on a page that is loaded by HTTPS or from localhost. The program{' '}
        <code>docs/verify-receipt.mjs</code> does the same checks.
      </p>
    );
  }
  if (verified.error !== null) return <Problem error={verified.error} retry={() => void verified.refetch()} />;
  if (verified.data === undefined) return <p className="verdict">Verifying …</p>;
  if (verified.data !== '') {
    return (
      <p className="verdict bad" role="alert">
        <strong>✕ The receipt does not hold:</strong> {verified.data}.
      </p>
    );
  }
  return (
    <div className="verdict good">
      <p role="status">
        <strong>✓ The receipt holds.</strong> Your browser has verified it.
      </p>
      <ul>
        <li>
          Checked: each hash follows from its entry and the hash before it; the first entry of an asset begins its
          chain; no asset has two entries; the credits add up to the weight of this offset, and are its retirements.
        </li>
        <li>
          Not proved: that the service issued it, for hashes have no signature, and that the hash before an entry is in
          the ledger. Read the receipt from this API yourself, and keep it: a later change of the ledger leads to other
          hashes.
        </li>
      </ul>
    </div>
  );
}
