import { type EstimateView, gramsFromKg } from '@carbon/contracts';
import { invalidRequest, RequestError, TransientError } from '@carbon/http';
import { Injectable } from '@nestjs/common';
import { allocateCredits } from '../domain/allocation.js';
import { type Failure, INSUFFICIENT_SUPPLY } from '../domain/failure.js';
import type { Supply } from '../domain/inventory.js';
import type { PricedLine } from '../domain/line.js';
import { Preference } from '../domain/preference.js';
import { SupplyGate } from '../fulfillment/readiness-gate.js';
import { preferredSupply, supplyOf, widening } from '../fulfillment/supply-rows.js';
import { Database } from '../persistence/database.js';
import { EstimateEntity } from '../persistence/estimate.entity.js';
import { OwnRows } from '../persistence/own-rows.js';
import type { EstimateRequest } from './estimate-request.js';
import { FindEstimate } from './find-estimate.js';
import { insertEstimate } from './insert-estimate.js';

/** Prices a weight as an offset of it would be served now, and holds that price. */
@Injectable()
export class MakeEstimate {
  constructor(
    private readonly database: Database,
    private readonly rows: OwnRows,
    private readonly gate: SupplyGate,
    private readonly preference: Preference,
    private readonly findEstimate: FindEstimate,
  ) {}

  /**
   * The same id gives the same estimate, so a call whose answer was lost can be made again.
   * @throws RequestError `insufficient_supply`, or `invalid_request` for an asset that cannot be retired from; TransientError
   * until it is known what there is
   */
  async run(account: string, request: EstimateRequest): Promise<EstimateView> {
    const made = (await this.recorded(account, request.id)) ?? (await this.make(account, request));
    if (!isOf(made, request)) throw takenId();
    return this.findEstimate.viewOf(made);
  }

  private async make(account: string, request: EstimateRequest): Promise<EstimateEntity> {
    if (!this.gate.isOpen) {
      throw new TransientError('service_unavailable', 'The supply is still being read. Try again shortly.');
    }
    this.database.fence.required();
    const grams = gramsFromKg(request.kgCO2e);
    const lines = await this.price(grams, request.asset);
    await insertEstimate(this.database.query, { ...request, account, grams, lines });
    const estimate = await this.recorded(account, request.id);
    // Another account has it, which keeps it as it is.
    if (!estimate) throw takenId();
    return estimate;
  }

  private recorded(account: string, id: string): Promise<EstimateEntity | undefined> {
    return this.rows.one(EstimateEntity, account, id);
  }

  /** Nothing is locked or reserved: what is priced here may be gone when an offset comes for it. */
  private async price(grams: bigint, asset: string | undefined): Promise<readonly PricedLine[]> {
    if (asset !== undefined) {
      const supply = await supplyOf(this.database.query, asset);
      if (!supply) throw notRetirable();
      return linesOr(this.allocate(grams, [supply]));
    }
    return widening(async (width) => {
      const supplies = await preferredSupply(this.database.query, this.preference, width);
      const taken = this.allocate(grams, supplies);
      return taken === INSUFFICIENT_SUPPLY && supplies.length === width ? 'too narrow' : linesOr(taken);
    });
  }

  private allocate(grams: bigint, supplies: readonly Supply[]): readonly PricedLine[] | Failure {
    const [decision] = allocateCredits([{ grams }], supplies, this.preference);
    return decision && 'lines' in decision ? decision.lines : (decision?.failure ?? INSUFFICIENT_SUPPLY);
  }
}

function linesOr(taken: readonly PricedLine[] | Failure): readonly PricedLine[] {
  if (!('code' in taken)) return taken;
  throw new RequestError(
    'insufficient_supply',
    'Fewer credits are available than this needs. Ask for less, or again later.',
  );
}

function isOf(estimate: EstimateEntity, { kgCO2e, asset }: EstimateRequest): boolean {
  return estimate.kgCO2e === kgCO2e && estimate.assetId === (asset ?? null);
}

function notRetirable(): RequestError {
  const detail = 'is not an asset that credits can be retired from; search for active ones, or leave it out';
  return invalidRequest([{ field: 'asset', pointer: '/asset', code: 'invalid_field', detail }]);
}

function takenId(): RequestError {
  const detail = 'is the id of another estimate; an id is used once';
  return invalidRequest([{ field: 'id', pointer: '/id', code: 'invalid_field', detail }]);
}
