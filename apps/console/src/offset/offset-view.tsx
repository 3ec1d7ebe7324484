import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { addressOf, Link, navigate, useAddress, ViewTitle } from '../page/location.js';
import { Problem } from '../page/problem.js';
import { AssetName } from '../search/asset-name.js';
import { useSession } from '../session/session.js';
import { EstimatePanel } from './estimate-panel.js';

const KG_PER_UNIT = { t: 1_000, kg: 1 } as const;
type Unit = keyof typeof KG_PER_UNIT;

/** Estimates a weight, and then offsets it at the estimate's price. The estimate is in the address, so it survives a reload. */
export function OffsetView() {
  const { carbon } = useSession();
  const queries = useQueryClient();
  const { query } = useAddress();
  const asset = query.get('asset') ?? undefined;
  const id = query.get('estimate') ?? undefined;
  const estimate = useQuery({
    queryKey: ['estimate', id],
    queryFn: ({ signal }) => carbon.estimates.get(id ?? '', { signal }),
    enabled: id !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const create = useMutation({
    mutationFn: (kgCO2e: number) => carbon.estimates.create({ kgCO2e, asset }),
    onSuccess: (made) => {
      queries.setQueryData(['estimate', made.id], made);
      navigate(addressOf('offset', { asset, estimate: made.id }), { replace: id !== undefined });
    },
  });
  const error = create.error ?? estimate.error;
  return (
    <>
      <ViewTitle>Offset emissions</ViewTitle>
      <WeightForm asset={asset} isPending={create.isPending} kgCO2e={estimate.data?.kgCO2e} onSubmit={create.mutate} />
      {error !== null && <Problem error={error} />}
      {estimate.data !== undefined && <EstimatePanel key={estimate.data.id} estimate={estimate.data} />}
    </>
  );
}

interface WeightProps {
  readonly asset: string | undefined;
  readonly isPending: boolean;
  /** The weight of the estimate in the address. */
  readonly kgCO2e: number | undefined;
  readonly onSubmit: (kgCO2e: number) => void;
}

function WeightForm({ asset, isPending, kgCO2e, onSubmit }: WeightProps) {
  const [typed, setTyped] = useState<string>();
  const [unit, setUnit] = useState<Unit>('t');
  const weight = typed ?? (kgCO2e === undefined ? '' : String(rounded(kgCO2e / KG_PER_UNIT[unit])));
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    onSubmit(rounded(Number(weight) * KG_PER_UNIT[unit]));
  };
  return (
    <form className="card offset-form" onSubmit={submit}>
      <div className="field">
        <label htmlFor="weight">Emissions (CO₂-equivalent)</label>
        <div className="joined">
          <input
            id="weight"
            type="number"
            inputMode="decimal"
            min="0"
            step="any"
            required
            placeholder="2.5"
            value={weight}
            onChange={({ target }) => setTyped(target.value)}
          />
          <select aria-label="Unit" value={unit} onChange={({ target }) => setUnit(target.value as Unit)}>
            <option value="t">tonnes</option>
            <option value="kg">kg</option>
          </select>
        </div>
      </div>
      <p className="field">
        <span className="label">Credits from</span>
        {asset === undefined ? (
          <span>
            the cheapest assets. <Link href={addressOf('', { sort: 'price' })}>Choose one</Link>
          </span>
        ) : (
          <span>
            <AssetName id={asset} /> <Link href={addressOf('offset')}>Use the cheapest instead</Link>
          </span>
        )}
      </p>
      <button type="submit" className="primary" disabled={isPending}>
        {isPending ? 'Estimating …' : 'Get an estimate'}
      </button>
    </form>
  );
}

/** Without the noise of binary fractions: 0.0012345 t are 1.2345 kg. */
function rounded(value: number): number {
  return Number(value.toPrecision(15));
}
