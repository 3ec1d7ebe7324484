import {
  type LookedUpViews,
  type OffsetView,
  offsetIdSchema,
  offsetLookup,
  type RecordedFingerprints,
  type RetirementReceiptView,
} from '@carbon/contracts';
import { accountOf, checkBody, queryPairs, readParameters, required } from '@carbon/http';
import { Controller, Get, Header, HttpCode, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { FingerprintReader, type RecordedFingerprint } from './fingerprint-reader.js';
import { OffsetPager, parseListQuery } from './offset-pager.js';
import { OffsetReader } from './offset-reader.js';
import { ReceiptReader } from './receipt-reader.js';

const BY_ID = { id: required(offsetIdSchema) };
const BY_OFFSET = { offset: required(offsetIdSchema) };

/** Reads for the account that the gateway names in `x-account`. */
@Controller()
export class QueryController {
  constructor(
    private readonly offsets: OffsetReader,
    private readonly pager: OffsetPager,
    private readonly receipts: ReceiptReader,
    private readonly fingerprints: FingerprintReader,
  ) {}

  /** The list, or the one offset that `id` names. */
  @Get('v1/offsets')
  @Header('cache-control', 'no-store')
  async find(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<OffsetView | OffsetView[]> {
    const account = accountOf(request.raw);
    const url = urlOf(request);
    if (queryPairs(url).some(({ name }) => name === 'id')) {
      return this.offsets.find(account, readParameters(url, BY_ID).id);
    }
    const { offsets, link } = await this.pager.page(account, parseListQuery(url));
    if (link !== undefined) void reply.header('link', link);
    return offsets;
  }

  /** The receipt of one offset. */
  @Get('v1/retirements')
  @Header('cache-control', 'no-store')
  async receipt(@Req() request: FastifyRequest): Promise<RetirementReceiptView> {
    const account = accountOf(request.raw);
    return this.receipts.find(account, readParameters(urlOf(request), BY_OFFSET).offset);
  }

  /** Several offsets of any accounts: for gateways only, each of which checks whose they are. */
  @Post('internal/offsets')
  @HttpCode(200)
  @Header('cache-control', 'no-store')
  async findMany(@Req() request: FastifyRequest): Promise<LookedUpViews> {
    return this.offsets.findMany(checkBody(offsetLookup, request.body).offsets);
  }

  /** The fingerprints of several offsets of any accounts: for gateways only, which do not expose them. */
  @Post('internal/fingerprints')
  @HttpCode(200)
  @Header('cache-control', 'no-store')
  async fingerprintsOf(@Req() request: FastifyRequest): Promise<RecordedFingerprints> {
    return this.fingerprints.findMany(checkBody(offsetLookup, request.body).offsets);
  }

  /** The fingerprint of one offset: for gateways of the previous release. */
  @Get('internal/fingerprints')
  @Header('cache-control', 'no-store')
  async fingerprint(@Req() request: FastifyRequest): Promise<RecordedFingerprint> {
    const account = accountOf(request.raw);
    return this.fingerprints.find(account, readParameters(urlOf(request), BY_OFFSET).offset);
  }
}

function urlOf({ raw }: FastifyRequest): string {
  return raw.url ?? '';
}
