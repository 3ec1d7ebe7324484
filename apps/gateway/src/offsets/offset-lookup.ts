import { type LookedUpOffset, lookedUpViews, MAX_LOOKUP_SIZE } from '@carbon/contracts';
import { Inject, Injectable } from '@nestjs/common';
import { GATEWAY_CONFIG, type GatewayConfig } from '../gateway.config.js';
import { OffsetLookupClient } from '../upstream/clients.js';
import { upstreamUnavailable } from '../upstream/upstream-client.js';
import { jsonOf } from '../upstream/upstream-response.js';
import { LookupBatcher } from './lookup-batcher.js';

/** The largest batches use a fraction of the client's connections; the others are for reads that wait for their offset. */
const MAX_IN_FLIGHT = 16;
/** Reads that wait for a request. Those beyond are read by themselves, in turns by account, so that no account can keep out others. */
const MAX_WAITING = 1_000;
/** A request takes a few milliseconds. One that takes longer must not delay the reads behind it. */
const MAX_HOLD_MS = 25;

/** Reads recorded offsets by id, many in one request. */
@Injectable()
export class OffsetLookup {
  private readonly batcher: LookupBatcher<LookedUpOffset, string | null>;

  constructor(
    private readonly client: OffsetLookupClient,
    @Inject(GATEWAY_CONFIG) { OFFSETS_TIMEOUT_MS: timeoutMs }: GatewayConfig,
  ) {
    const bounds = { maxBatchSize: MAX_LOOKUP_SIZE, maxWaiting: MAX_WAITING, maxHoldMs: MAX_HOLD_MS };
    this.batcher = new LookupBatcher({ ...bounds, maxInFlight: MAX_IN_FLIGHT, timeoutMs }, (offsets) =>
      this.lookUp(offsets),
    );
  }

  /**
   * Returns the JSON text of the offset's view, or undefined when it must be read by itself: it is not recorded yet, the response
   * decides nothing, or too many reads wait.
   * @throws TransientError `service_unavailable`
   */
  async viewOf(account: string, id: string): Promise<string | undefined> {
    if (this.batcher.isFull) return undefined;
    const view = await this.batcher.ask({ account, id });
    if (view === undefined) throw upstreamUnavailable('offsets service');
    return view ?? undefined;
  }

  /** Returns null for all when the response is an error, or that of an older service, which does not know the request. */
  private async lookUp(offsets: readonly LookedUpOffset[]): Promise<(string | null)[]> {
    const response = await this.client.query('/internal/offsets', { offsets });
    const views = response.status === 200 ? lookedUpViews.safeParse(jsonOf(response)).data?.views : undefined;
    return offsets.map((_, at) => views?.[at] ?? null);
  }
}
