import { type Estimate, IdempotencyKeyReusedError } from '@carbon/client';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, type SubmitEvent, useEffect, useState } from 'react';
import { type Column, Table } from '../page/endless-table.js';
import { dollarText, numberText, remainingTimeText, weightText } from '../page/format.js';
import { addressOf, Link, navigate } from '../page/location.js';
import { Problem } from '../page/problem.js';
import { AssetName } from '../search/asset-name.js';
import { useSession } from '../session/session.js';

interface Props {
  readonly estimate: Estimate;
  /** Whether the user has since typed a different weight. */
  readonly isOutdated: boolean;
}

/** What an offset would retire and cost, and the form that does it. */
export function EstimatePanel({ estimate, isOutdated }: Props) {
  const { kgCO2e, credits, cost, allocations, expiresAt, usedBy } = estimate;
  const remainingMs = useRemainingMs(expiresAt);
  const amounts = [
    ['Emissions', weightText(kgCO2e)],
    ['Credits to retire', numberText(credits, 't')],
    ['Cost', dollarText(cost)],
  ] as const;
  let reason: ReactNode;
  if (isOutdated) reason = 'The weight has changed. Get a new estimate.';
  else if (usedBy !== undefined) reason = <UsedBy offset={usedBy} />;
  else if (remainingMs <= 0) reason = 'The estimate has expired. Get a new one above.';
  return (
    <section className="card estimate" aria-labelledby="estimate-title">
      <h2 id="estimate-title">Estimate</h2>
      <dl className="figures">
        {amounts.map(([title, value]) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd>{value}</dd>
          </div>
        ))}
        <div>
          <dt>Price held for</dt>
          <dd>
            <span role="timer">{remainingMs > 0 ? remainingTimeText(remainingMs) : 'expired'}</span>
          </dd>
        </div>
      </dl>
      <Table caption="Where the credits come from" columns={COLUMNS} rows={allocations} keyOf={({ asset }) => asset} />
      <p className="help">An estimate holds the price for one offset of this weight. It reserves no credits.</p>
      <OffsetForm estimate={estimate} reason={reason} />
    </section>
  );
}

function UsedBy({ offset }: { readonly offset: string }) {
  return (
    <>
      This estimate has been used. <Link href={addressOf(`offsets/${offset}`)}>Show its offset</Link>
    </>
  );
}

/**
 * The form that creates the offset. Omitted if the estimate cannot be used: Enter in its field would submit it even without
 * a button.
 */
function OffsetForm({ estimate, reason }: { readonly estimate: Estimate; readonly reason: ReactNode }) {
  const { id, kgCO2e, credits, cost } = estimate;
  const { carbon, scopes } = useSession();
  const [customerRef, setCustomerRef] = useState('');
  // The key is derived from the estimate's id, so that a retry, even after a reload, creates no second offset.
  const create = useMutation({
    mutationFn: () =>
      carbon.offsets.create(
        { kgCO2e, estimateId: id, ...(customerRef !== '' && { customerRef }) },
        { idempotencyKey: `console-${id}` },
      ),
  });
  const canRead = scopes?.has('offsets:read') ?? false;
  // `mutate`'s callback does not run after unmounting, so a user who has left this view stays there.
  const send = () =>
    create.mutate(undefined, { onSuccess: (made) => canRead && navigate(addressOf(`offsets/${made.id}`)) });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!create.isPending) send();
  };
  const pendingLabel = create.isPaused ? 'Sent when you are online again' : 'Sending …';
  return (
    <>
      {reason === undefined ? (
        <form onSubmit={submit}>
          <label htmlFor="customer-ref">Your reference (optional)</label>
          <input
            id="customer-ref"
            maxLength={256}
            autoComplete="off"
            value={customerRef}
            onChange={({ target }) => setCustomerRef(target.value)}
          />
          <button type="submit" className="primary" aria-disabled={create.isPending}>
            {create.isPending ? pendingLabel : `Offset ${numberText(credits, 't')} for ${dollarText(cost)}`}
          </button>
        </form>
      ) : (
        <p className="error">{reason}</p>
      )}
      {create.data !== undefined && !canRead && (
        <p role="status">
          Accepted as <code>{create.data.id}</code>. Keep this id: your key cannot read offsets.
        </p>
      )}
      {create.error !== null && (
        <Failure error={create.error} estimate={id} retry={reason === undefined ? send : undefined} />
      )}
    </>
  );
}

interface FailureProps {
  readonly error: Error;
  readonly estimate: string;
  /** Undefined while the estimate cannot be used. */
  readonly retry: (() => void) | undefined;
}

function Failure({ error, estimate, retry }: FailureProps) {
  if (!(error instanceof IdempotencyKeyReusedError))
    return <Problem error={error} retry={retry} isManual hasCountdown={retry !== undefined} />;
  return (
    <p className="error" role="alert">
      This estimate was already sent with a different reference.{' '}
      <Link href={addressOf('offsets', { estimateId: estimate })}>Show its offset</Link>, or get a new estimate if it
      has none.
    </p>
  );
}

const COLUMNS: readonly Column<Estimate['allocations'][number]>[] = [
  { name: 'asset', title: 'Asset', cell: ({ asset }) => <AssetName id={asset} /> },
  { name: 'credits', title: 'Credits', isNumber: true, cell: ({ credits }) => numberText(credits, 't') },
  { name: 'price', title: 'Price / t', isNumber: true, cell: ({ price }) => dollarText(price) },
  { name: 'cost', title: 'Cost', isNumber: true, cell: ({ cost }) => dollarText(cost) },
];

/** Returns the time left until an expiry, in ms, updated every second. */
function useRemainingMs(expiresAt: string): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return Date.parse(expiresAt) - now;
}
