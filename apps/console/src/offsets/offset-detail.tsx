import { ForbiddenError, InvalidRequestError, NotFoundError, type Offset, type QueuedOffset } from '@carbon/client';
import { useQuery } from '@tanstack/react-query';
import { dollarText, numberText, timeText, weightText } from '../page/format.js';
import { addressOf, Link, ViewTitle } from '../page/location.js';
import { Problem } from '../page/problem.js';
import { useSession } from '../session/session.js';
import { ReceiptPanel } from './receipt-panel.js';
import { Status } from './status.js';

const FIRST_POLL_MS = 300;
const MAX_POLL_MS = 10_000;
/** The titles of facts that take two columns. */
const WIDE_FACTS: ReadonlySet<string> = new Set(['Estimate', 'Reference']);

/** Shows one offset: its progress, its details, and its receipt once it is completed. Polls until it is completed or failed. */
export function OffsetDetail({ id }: { readonly id: string }) {
  const { carbon } = useSession();
  const {
    data: offset,
    error,
    refetch,
  } = useQuery({
    queryKey: ['offset', id],
    queryFn: ({ signal }) => carbon.offsets.get(id, { signal }),
    staleTime: 0,
    refetchInterval: ({ state: { data, error: last, dataUpdateCount, errorUpdateCount } }) =>
      hasEnded(data) || isPermanent(last)
        ? false
        : Math.min(MAX_POLL_MS, FIRST_POLL_MS * 1.5 ** (dataUpdateCount + errorUpdateCount)),
  });
  return (
    <>
      <p className="path">
        <Link href={addressOf('offsets')}>All my offsets</Link>
      </p>
      <ViewTitle>{`Offset ${id}`}</ViewTitle>
      {offset === undefined && error === null && <p className="loading">Loading …</p>}
      {error !== null && <Problem error={error} retry={refetch} isManual />}
      {offset !== undefined && <Progress offset={offset} />}
      {isRecorded(offset) && <Facts offset={offset} />}
      {isRecorded(offset) && offset.status === 'completed' && <ReceiptPanel offset={offset} />}
    </>
  );
}

/** Whether a retry would fail again. "Not found" is permanent, because the service finds every id that it has accepted. */
function isPermanent(error: Error | null): boolean {
  return [InvalidRequestError, ForbiddenError, NotFoundError].some((kind) => error instanceof kind);
}

function hasEnded(offset: Offset | QueuedOffset | undefined): boolean {
  return offset?.status === 'completed' || offset?.status === 'failed';
}

/** Whether the response has the whole offset: a new one may not be recorded yet. */
function isRecorded(offset: Offset | QueuedOffset | undefined): offset is Offset {
  return offset !== undefined && 'kgCO2e' in offset;
}

function Progress({ offset }: { readonly offset: Offset | QueuedOffset }) {
  const { status } = offset;
  const steps =
    status === 'failed' ? (['queued', 'failed'] as const) : (['queued', 'processing', 'completed'] as const);
  const at = (steps as readonly string[]).indexOf(status);
  const recorded = isRecorded(offset) ? offset : undefined;
  return (
    <section className="card" aria-label="Progress">
      <ol className="steps">
        {steps.map((step, place) => (
          <li key={step} className={place <= at ? 'done' : ''} aria-current={place === at ? 'step' : undefined}>
            {step}
          </li>
        ))}
      </ol>
      <p role="status">
        <Status status={status} />
        {status === 'completed' && ` on ${timeText(recorded?.completedAt)}`}
        {!hasEnded(offset) && ' – this page updates automatically. Processing continues if you leave it.'}
      </p>
      {recorded?.failure !== undefined && (
        <p className="error">
          {recorded.failure.detail} (<code>{recorded.failure.code}</code>)
        </p>
      )}
    </section>
  );
}

function Facts({ offset }: { readonly offset: Offset }) {
  const { kgCO2e, credits, creditsMatched, cost, customerRef, estimateId, createdAt } = offset;
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['Weight', `${weightText(kgCO2e)} CO₂e`],
    ['Credits', `${numberText(creditsMatched)} of ${numberText(credits, 't')} retired`],
    ['Cost', dollarText(cost)],
    ['Created', timeText(createdAt)],
    ['Estimate', estimateId],
    ['Reference', customerRef],
  ];
  return (
    <dl className="card facts-list">
      {facts
        .filter(([, value]) => value !== undefined)
        .map(([title, value]) => (
          <div key={title} className={WIDE_FACTS.has(title) ? 'wide' : undefined}>
            <dt>{title}</dt>
            <dd>{title === 'Estimate' ? <code>{value}</code> : value}</dd>
          </div>
        ))}
    </dl>
  );
}
