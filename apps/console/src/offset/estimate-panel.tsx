import type { Estimate } from '@carbon/client';
import { useMutation } from '@tanstack/react-query';
import { type SubmitEvent, useEffect, useState } from 'react';
import { dollarText, numberText, restText } from '../page/format.js';
import { addressOf, navigate } from '../page/location.js';
import { Problem } from '../page/problem.js';
import { AssetName } from '../search/asset-name.js';
import { useSession } from '../session/session.js';

/** What an offset would retire and cost, and the button that does it. */
export function EstimatePanel({ estimate }: { readonly estimate: Estimate }) {
  const { id, kgCO2e, credits, cost, allocations, expiresAt } = estimate;
  const { carbon } = useSession();
  const [customerRef, setCustomerRef] = useState('');
  const rest = useRest(expiresAt);
  // An estimate is for one offset, so its id makes the key: a second try, even after a reload, creates no second offset.
  const create = useMutation({
    mutationFn: () =>
      carbon.offsets.create(
        { kgCO2e, estimateId: id, ...(customerRef !== '' && { customerRef }) },
        { idempotencyKey: `console-${id}` },
      ),
    onSuccess: (accepted) => navigate(addressOf(`offsets/${accepted.id}`)),
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    create.mutate();
  };
  return (
    <section className="card estimate" aria-labelledby="estimate-title">
      <h2 id="estimate-title">Estimate</h2>
      <dl className="figures">
        <div>
          <dt>Cost</dt>
          <dd>{dollarText(cost)}</dd>
        </div>
        <div>
          <dt>Credits to retire</dt>
          <dd>{numberText(credits, 't')}</dd>
        </div>
        <div>
          <dt>Price held for</dt>
          <dd>
            <span role="timer">{rest > 0 ? restText(rest) : 'expired'}</span>
          </dd>
        </div>
      </dl>
      <Allocations allocations={allocations} />
      <p className="help">An estimate holds the price for one offset of this weight. It reserves no credits.</p>
      <form onSubmit={submit}>
        <label htmlFor="customer-ref">Your reference (optional)</label>
        <input
          id="customer-ref"
          maxLength={256}
          autoComplete="off"
          value={customerRef}
          onChange={({ target }) => setCustomerRef(target.value)}
        />
        {rest > 0 ? (
          <button type="submit" className="primary" disabled={create.isPending}>
            {create.isPending ? 'Sending …' : `Offset ${numberText(credits, 't')} for ${dollarText(cost)}`}
          </button>
        ) : (
          <p className="error">The price is no longer held. Get a new estimate above.</p>
        )}
      </form>
      {create.error !== null && <Problem error={create.error} retry={create.mutate} />}
    </section>
  );
}

function Allocations({ allocations }: Pick<Estimate, 'allocations'>) {
  return (
    <div className="table-frame">
      <table>
        <caption className="unseen">Where the credits come from</caption>
        <thead>
          <tr>
            <th scope="col">Asset</th>
            <th scope="col" className="number">
              Credits
            </th>
            <th scope="col" className="number">
              Price / t
            </th>
            <th scope="col" className="number">
              Cost
            </th>
          </tr>
        </thead>
        <tbody>
          {allocations.map(({ asset, credits, price, cost }) => (
            <tr key={asset}>
              <td data-title="Asset">
                <AssetName id={asset} />
              </td>
              <td data-title="Credits" className="number">
                {numberText(credits, 't')}
              </td>
              <td data-title="Price / t" className="number">
                {dollarText(price)}
              </td>
              <td data-title="Cost" className="number">
                {dollarText(cost)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The time until an expiry in ms, by the second. */
function useRest(expiresAt: string): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return Date.parse(expiresAt) - now;
}
