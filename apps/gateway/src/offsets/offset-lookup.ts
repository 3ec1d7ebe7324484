import { type LookedUpOffset, lookedUpViews } from '@carbon/contracts';
import { Inject, Injectable } from '@nestjs/common';
import { GATEWAY_CONFIG, type GatewayConfig } from '../gateway.config.js';
import { OffsetLookupClient } from '../upstream/clients.js';
import { upstreamUnavailable } from '../upstream/upstream-client.js';
import { jsonOf } from '../upstream/upstream-response.js';
import { LOOKUP_BOUNDS, LookupBatcher } from './lookup-batcher.js';

/** The largest batches use a fraction of the client's connections; the others are for reads that wait for their offset. */
const MAX_IN_FLIGHT = 16;

/** Reads recorded offsets by id, many in one request. */
@Injectable()
export class OffsetLookup {
  private readonly batcher: LookupBatcher<LookedUpOffset, string | null>;

  constructor(
    private readonly client: OffsetLookupClient,
    @Inject(GATEWAY_CONFIG) { OFFSETS_TIMEOUT_MS: timeoutMs }: GatewayConfig,
  ) {
    // Reads beyond `maxWaiting` are read by themselves, in turns by account, so that no account can keep out others.
    this.batcher = new LookupBatcher({ ...LOOKUP_BOUNDS, maxInFlight: MAX_IN_FLIGHT, timeoutMs }, (offsets) =>
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
    const view = await this.batcher.lookUp({ account, id });
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
