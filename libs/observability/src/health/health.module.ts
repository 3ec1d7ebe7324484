import { Global, Module } from '@nestjs/common';
import { HealthController } from './health.controller.js';
import { Health } from './health.js';

/** `GET /health/live` and `GET /health/ready`, and {@link Health} for every module to register its dependencies with. */
@Global()
@Module({ controllers: [HealthController], providers: [Health], exports: [Health] })
export class HealthModule {}
