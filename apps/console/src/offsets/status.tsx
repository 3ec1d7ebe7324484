import type { OffsetStatus } from '@carbon/client';

const SIGNS: Readonly<Record<OffsetStatus, string>> = { queued: '◔', processing: '◑', completed: '✓', failed: '✕' };

/** The status of an offset, as a word and a sign. */
export function Status({ status }: { readonly status: OffsetStatus }) {
  return (
    <span className={`status ${status}`}>
      <span aria-hidden="true">{SIGNS[status]}</span> {status}
    </span>
  );
}
