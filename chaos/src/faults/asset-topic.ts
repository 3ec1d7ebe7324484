import { LIBRARY } from '@carbon/local';
import { withAdmin } from '@carbon/messaging';
import type { Fault, FaultContext } from '../fault.js';

const TOPIC = 'asset.published';
const REPORT_TIMEOUT_MS = 30_000;
const READ_TIMEOUT_MS = 120_000;
const POLL_MS = 500;
/** The catalog caches responses for a second. */
const KEPT_MS = 1_500;

/** The topic is deleted, re-created and filled again; meanwhile the library is empty, and searches may find nothing. */
async function recreate({ system, pause }: FaultContext): Promise<void> {
  const from = performance.now();
  const topics = [system.kafka.names.topic(TOPIC)];
  try {
    await withAdmin(system.kafka, (admin) => admin.deleteTopics({ topics }));
    await recreateTopics({ system, pause });
    await system.command(['assets', 'publish', LIBRARY]);
    await rebuilt({ system, pause });
    await pause(KEPT_MS);
  } finally {
    for (const kind of ['missing', 'refused'] as const) system.allow(kind, from);
  }
}

/** A broker may still return the deleted topic for a moment, so the creation is retried. */
async function recreateTopics({ system, pause }: Pick<FaultContext, 'system' | 'pause'>): Promise<void> {
  const deadline = performance.now() + REPORT_TIMEOUT_MS;
  while (!(await system.command(['topics'])).includes(TOPIC)) {
    if (performance.now() > deadline) throw new Error(`${TOPIC} was not re-created`);
    await pause(POLL_MS);
  }
}

/** Waits until the catalog has the whole library again. */
async function rebuilt({ system, pause }: Pick<FaultContext, 'system' | 'pause'>): Promise<void> {
  const deadline = performance.now() + READ_TIMEOUT_MS;
  for (;;) {
    const verified = await system.command(['catalog', 'verify']).then(
      () => true,
      () => false,
    );
    if (verified) return;
    if (performance.now() > deadline) throw new Error('the catalog does not have the republished library');
    await pause(POLL_MS);
  }
}

/** The topic of the asset library. */
export const faults: readonly Fault[] = [
  {
    name: 'recreate-asset-topic',
    does: `${TOPIC} is deleted, re-created and filled again`,
    times: { ci: 1, full: 2 },
    inject: recreate,
  },
];
