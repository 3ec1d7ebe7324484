import { type EstimateView, gramsFromKg } from '@carbon/contracts';
import { invalidRequest, RequestError, TransientError } from '@carbon/http';
import { Injectable } from '@nestjs/common';
import { allocateCredits } from '../domain/allocation.js';
import { type Failure, isShortage, shortageText } from '../domain/failure.js';
import type { Supply } from '../domain/inventory.js';
import type { PricedLine } from '../domain/line.js';
import { Preference } from '../domain/preference.js';
import { ReadinessGate } from '../fulfillment/readiness-gate.js';
import { preferredSupply, supplyOf, withMoreAssets } from '../fulfillment/supply-rows.js';
import { Database } from '../persistence/database.js';
import { type EstimateEntity, storedLines } from '../persistence/estimate.entity.js';
import { fenceHolds } from '../persistence/fence.js';
import { EstimateReader } from './estimate-reader.js';

/** A request for an estimate under an id that is used once. */
export interface EstimateRequest {
  readonly id: string;
  readonly kgCO2e: number;
  readonly asset?: string | undefined;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** Prices a weight as an offset of it would be allocated now, and stores that price. */
@Injectable()
export class EstimateCreator {
  constructor(
    private readonly database: Database,
    private readonly gate: ReadinessGate,
    private readonly preference: Preference,
    private readonly reader: EstimateReader,
  ) {}

  /**
   * Returns the estimate under the request's id, which it creates unless it exists, so a call can be repeated.
   * @throws RequestError `insufficient_supply`, or `invalid_request` for an asset that cannot be retired from or an id of another
   * estimate; TransientError until the supply is known
   */
  async create(account: string, request: EstimateRequest): Promise<EstimateView> {
    const existing = await this.reader.entity(account, request.id);
    const estimate = existing ?? (await this.insert(account, request));
    if (estimate === undefined || !matchesRequest(request, estimate)) throw idTaken();
    return this.reader.view(estimate);
  }

  /** Returns undefined if the id belongs to another account. */
  private async insert(account: string, request: EstimateRequest): Promise<EstimateEntity | undefined> {
    if (!this.gate.isOpen) {
      throw new TransientError('service_unavailable', 'The supply is still being read. Try again shortly.');
    }
    this.database.fence.required();
    const { id, kgCO2e, asset, createdAt, expiresAt } = request;
    const grams = gramsFromKg(kgCO2e);
    const lines = await this.price(grams, asset);
    const stored = JSON.stringify(storedLines(lines));
    // SQL because the fence must be part of the statement.
    const fenced = await this.database.query(
      `WITH fence AS MATERIALIZED (SELECT FROM database_state WHERE ${fenceHolds(10)}), inserted AS (
         INSERT INTO estimates (id, account, kg_co2e, grams, asset_id, lines, line_count, created_at, expires_at)
         SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9 FROM fence
         ON CONFLICT (id) DO NOTHING
       )
       SELECT FROM fence`,
      [
        id,
        account,
        kgCO2e,
        grams,
        asset,
        stored,
        lines.length,
        createdAt,
        expiresAt,
        ...this.database.fence.parameters,
      ],
    );
    if (fenced.length === 0) throw this.database.fence.lose();
    return this.reader.entity(account, id);
  }

  /** Locks and reserves nothing: the credits may be gone when an offset names the estimate. */
  private async price(grams: bigint, asset: string | undefined): Promise<readonly PricedLine[]> {
    if (asset !== undefined) {
      const supply = await supplyOf(this.database.query, asset);
      if (!supply) throw notRetirable();
      return linesOrThrow(this.allocate(grams, [supply]), ' of this asset');
    }
    return withMoreAssets(async (maxAssets) => {
      const supplies = await preferredSupply(this.database.query, this.preference, maxAssets);
      const allocated = this.allocate(grams, supplies);
      const mayBeMore = 'code' in allocated && isShortage(allocated) && supplies.length === maxAssets;
      return mayBeMore ? 'too few assets' : linesOrThrow(allocated);
    });
  }

  private allocate(grams: bigint, supplies: readonly Supply[]): readonly PricedLine[] | Failure {
    const [decision] = allocateCredits([{ grams }], supplies, this.preference);
    if (decision === undefined) throw new Error('Nothing was decided about an estimate.');
    return 'lines' in decision ? decision.lines : decision.failure;
  }
}

/** @param owner as of `shortageText` */
function linesOrThrow(allocated: readonly PricedLine[] | Failure, owner = ''): readonly PricedLine[] {
  if (!('code' in allocated)) return allocated;
  const [reason, next] = isShortage(allocated)
    ? shortageText(allocated.availableGrams, undefined, owner)
    : ['This would need credits from too many assets.', 'ask for less'];
  throw new RequestError('insufficient_supply', `${reason} ${next[0]?.toUpperCase()}${next.slice(1)}.`);
}

function matchesRequest({ kgCO2e, asset }: EstimateRequest, estimate: EstimateEntity): boolean {
  return estimate.kgCO2e === kgCO2e && estimate.assetId === (asset ?? null);
}

function notRetirable(): RequestError {
  const detail =
    'is not an asset that credits can be retired from; choose one that is active and has `price` and `issued`, or leave it out';
  return invalidRequest([{ field: 'asset', pointer: '/asset', code: 'invalid_field', detail }]);
}

function idTaken(): RequestError {
  const detail = 'is the id of another estimate; an id is used once';
  return invalidRequest([{ field: 'id', pointer: '/id', code: 'invalid_field', detail }]);
}
