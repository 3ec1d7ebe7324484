import { TransientError } from '@carbon/http';
import { Controller, Get, Header } from '@nestjs/common';
import { Health } from './health.js';

/** What a load balancer needs and no more, for a port that anybody may reach. */
@Controller('health')
export class BareHealthController {
  constructor(private readonly health: Health) {}

  @Get('live')
  @Header('cache-control', 'no-store')
  live() {
    return { state: 'live' };
  }

  /** Why it is not ready, and which dependencies answer, is told on the management port. */
  @Get('ready')
  @Header('cache-control', 'no-store')
  async ready() {
    const { state } = await this.health.readiness();
    if (state === 'ready') return { state };
    throw new TransientError('service_unavailable', 'Not ready.');
  }
}
