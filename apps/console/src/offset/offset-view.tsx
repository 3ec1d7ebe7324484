import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { dollarText } from '../page/format.js';
import { addressOf, navigate, useAddress, ViewTitle } from '../page/location.js';
import { Problem } from '../page/problem.js';
import { useSession } from '../session/session.js';
import { EstimatePanel } from './estimate-panel.js';
import { readWeight, typedWeight, type Unit } from './weight.js';
import { WeightForm } from './weight-form.js';

/** Estimates the cost of an offset, then creates it at that price. The estimate's id is in the URL, so it survives a reload. */
export function OffsetView() {
  const { carbon } = useSession();
  const queries = useQueryClient();
  const { query } = useAddress();
  const asset = query.get('asset') ?? undefined;
  const id = query.get('estimate') ?? undefined;
  const [typed, setTyped] = useState<string>();
  const [unit, setUnit] = useState<Unit>('t');
  const estimate = useQuery({
    queryKey: ['estimate', id],
    queryFn: ({ signal }) => carbon.estimates.get(id ?? '', { signal }),
    enabled: id !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const create = useMutation({
    mutationFn: (kgCO2e: number) => carbon.estimates.create({ kgCO2e, asset }),
    onSuccess: (made) => queries.setQueryData(['estimate', made.id], made),
  });
  const { reset } = create;
  // biome-ignore lint/correctness/useExhaustiveDependencies: when the asset changes, discard the result and the error of the mutation
  useEffect(reset, [asset, reset]);
  const createEstimate = (kgCO2e: number) =>
    create.mutate(kgCO2e, {
      // An option of this call, not of useMutation: TanStack Query then skips it if the view was closed meanwhile.
      onSuccess: (made) => {
        setTyped((now) => (now === typed ? undefined : now));
        navigate(addressOf('offset', { asset, estimate: made.id }), { replace: id !== undefined });
      },
    });
  const estimated = estimate.data?.kgCO2e;
  const text = typed ?? (estimated === undefined ? '' : typedWeight(estimated, unit));
  const weight = readWeight(text, unit);
  const isOutdated = typed !== undefined && !('kg' in weight && weight.kg === estimated);
  const error = create.error ?? estimate.error;
  const announcement = estimate.data !== undefined && !isOutdated ? `Estimate: ${dollarText(estimate.data.cost)}` : '';
  return (
    <>
      <ViewTitle>Offset emissions</ViewTitle>
      <WeightForm
        {...{ asset, text, unit, weight }}
        isPending={create.isPending}
        onText={setTyped}
        onUnit={setUnit}
        onSubmit={createEstimate}
      />
      <p role="status" className="unseen">
        {create.isPending ? 'Estimating' : announcement}
      </p>
      {error !== null && <Problem error={error} {...(create.error === null && { retry: estimate.refetch })} />}
      {estimate.data !== undefined && (
        <EstimatePanel key={estimate.data.id} estimate={estimate.data} isOutdated={isOutdated} />
      )}
    </>
  );
}
