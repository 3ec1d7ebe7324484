import { type SubmitEvent, useState } from 'react';
import { addressOf, Link } from '../page/location.js';
import { AssetName } from '../search/asset-name.js';
import { useSession } from '../session/session.js';
import type { Unit, Weight } from './weight.js';

interface Props {
  readonly asset: string | undefined;
  readonly isPending: boolean;
  readonly text: string;
  readonly unit: Unit;
  /** What the text is read as. */
  readonly weight: Weight;
  readonly onText: (text: string) => void;
  readonly onUnit: (unit: Unit) => void;
  readonly onSubmit: (kgCO2e: number) => void;
}

/** Asks for the weight of the emissions. A text field: a browser's number field drops a comma, and `2,5` becomes 25. */
export function WeightForm({ asset, isPending, text, unit, weight, onText, onUnit, onSubmit }: Props) {
  const [reason, setReason] = useState('');
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (isPending) return;
    setReason('kg' in weight ? '' : weight.reason);
    if ('kg' in weight) onSubmit(weight.kg);
  };
  return (
    <form className="card offset-form" onSubmit={submit}>
      <div className="field">
        <label htmlFor="weight">Emissions (CO₂-equivalent)</label>
        <div className="joined">
          <input
            id="weight"
            inputMode="decimal"
            autoComplete="off"
            required
            placeholder="2.5"
            value={text}
            onChange={({ target }) => {
              setReason('');
              onText(target.value);
            }}
            aria-invalid={reason !== ''}
            aria-describedby="weight-error"
          />
          <select aria-label="Unit" value={unit} onChange={({ target }) => onUnit(target.value as Unit)}>
            <option value="t">tonnes</option>
            <option value="kg">kg</option>
          </select>
        </div>
      </div>
      <Source asset={asset} />
      {/* Not disabled, which would take the focus away. */}
      <button type="submit" className="primary" aria-disabled={isPending}>
        {isPending ? 'Estimating …' : 'Get an estimate'}
      </button>
      <p id="weight-error" className="error" role="alert">
        {reason}
      </p>
    </form>
  );
}

function Source({ asset }: { readonly asset: string | undefined }) {
  const { scopes } = useSession();
  return (
    <div className="field source">
      <span className="label">Credits from</span>
      {asset === undefined ? (
        <p>
          the cheapest assets.{' '}
          {scopes?.has('assets:read') && <Link href={addressOf('', { sort: 'price' })}>Choose one</Link>}
        </p>
      ) : (
        <p>
          <AssetName id={asset} /> <Link href={addressOf('offset')}>Use the cheapest instead</Link>
        </p>
      )}
    </div>
  );
}
