import { Controller, Get, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Metrics } from './metrics.js';

/** The app's numbers, for Prometheus to fetch. */
@Controller('metrics')
export class MetricsController {
  constructor(private readonly metrics: Metrics) {}

  @Get()
  async show(@Res() reply: FastifyReply): Promise<void> {
    const text = await this.metrics.text();
    await reply.header('cache-control', 'no-store').type(this.metrics.contentType).send(text);
  }
}
