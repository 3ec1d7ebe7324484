import { type LookedUpOffset, recordedFingerprints } from '@carbon/contracts';
import { TransientError } from '@carbon/http';
import { Metrics } from '@carbon/observability';
import { Inject, Injectable } from '@nestjs/common';
import { GATEWAY_CONFIG, type GatewayConfig } from '../gateway.config.js';
import { offsetMetrics } from '../gateway.metrics.js';
import { FingerprintClient } from '../upstream/clients.js';
import { jsonOf } from '../upstream/upstream-response.js';
import { LOOKUP_BOUNDS, LookupBatcher } from './lookup-batcher.js';

/** The result of a look-up that found no record. */
const UNRECORDED = Symbol('unrecorded');
type Answer = string | typeof UNRECORDED;

/** Queries the offsets service for the requests that are recorded under ids, many ids in one request. */
@Injectable()
export class IdempotencyLookup {
  private readonly batcher: LookupBatcher<LookedUpOffset, Answer>;
  private readonly instruments;

  constructor(
    private readonly client: FingerprintClient,
    @Inject(GATEWAY_CONFIG) { REPLAY_TIMEOUT_MS, REPLAY_CONNECTIONS }: GatewayConfig,
    metrics: Metrics,
  ) {
    this.batcher = new LookupBatcher<LookedUpOffset, Answer>(
      { ...LOOKUP_BOUNDS, maxInFlight: REPLAY_CONNECTIONS, timeoutMs: REPLAY_TIMEOUT_MS },
      (offsets) => this.lookUp(offsets),
    );
    this.instruments = metrics.of(offsetMetrics);
    for (const outcome of ['recorded', 'unrecorded', 'unknown']) this.instruments.lookups.inc({ outcome }, 0);
  }

  /**
   * Returns the fingerprint of the recorded request. Returns undefined when there is none, and when it cannot be determined in
   * time: an offset is accepted without the offsets service, and its id guarantees uniqueness.
   */
  async fingerprintOf(account: string, id: string): Promise<string | undefined> {
    const answer = await this.batcher.lookUp({ account, id });
    if (typeof answer === 'string') {
      this.instruments.lookups.inc({ outcome: 'recorded' });
      return answer;
    }
    this.instruments.lookups.inc({ outcome: answer === UNRECORDED ? 'unrecorded' : 'unknown' });
    return undefined;
  }

  /** Returns no answers when the service fails, is too slow, or is an older one that does not know the request. */
  private async lookUp(offsets: readonly LookedUpOffset[]): Promise<(Answer | undefined)[]> {
    try {
      const response = await this.client.query('/internal/fingerprints', { offsets });
      const found = response.status === 200 ? recordedFingerprints.safeParse(jsonOf(response)).data : undefined;
      if (found === undefined) return [];
      const otherwise = found.isComplete ? UNRECORDED : undefined;
      return offsets.map(({ account, id }) => {
        const own = found.recorded.find((each) => each.id === id && each.account === account);
        return own?.fingerprint ?? otherwise;
      });
    } catch (error) {
      if (error instanceof TransientError) return [];
      throw error;
    }
  }
}
