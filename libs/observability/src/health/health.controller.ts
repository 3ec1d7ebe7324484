import { TransientError } from '@carbon/http';
import { Controller, Get, Header } from '@nestjs/common';
import { Health, type Readiness } from './health.js';

/** Whether the process lives, and whether it should be given requests. */
@Controller('health')
export class HealthController {
  constructor(private readonly health: Health) {}

  /** Checks nothing outside: a process must not be restarted because something else is away. */
  @Get('live')
  @Header('cache-control', 'no-store')
  live() {
    return { state: 'live' };
  }

  @Get('ready')
  @Header('cache-control', 'no-store')
  async ready(): Promise<Readiness> {
    const readiness = await this.health.readiness();
    if (readiness.state === 'ready') return readiness;
    throw new TransientError('service_unavailable', `Not ready: ${readiness.state}.`, { members: { ...readiness } });
  }
}
