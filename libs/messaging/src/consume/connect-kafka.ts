import type { INestApplication } from '@nestjs/common';
import type { MicroserviceOptions, NestMicroservice } from '@nestjs/microservices';
import type { KafkaBatchServer } from './kafka-batch-server.js';
import { RethrowErrors } from './rethrow-errors.js';

/**
 * Connects a server to an application that also speaks HTTP; `app.startAllMicroservices()` then starts it, or, when that was
 * long ago, `listen()` of what is given back. The handlers get an application configuration of their own: filters and pipes
 * made for HTTP requests have no business with messages, and the one filter they need must be in place before Nest wraps
 * them.
 */
export function connectKafka(app: INestApplication, server: KafkaBatchServer): NestMicroservice {
  const microservice = app.connectMicroservice<MicroserviceOptions>(
    { strategy: server },
    { inheritAppConfig: false, deferInitialization: true },
  ) as NestMicroservice;
  microservice.useGlobalFilters(new RethrowErrors());
  server.trustErrors();
  // The container is the application's: its start-up hooks have run, or will, without us.
  microservice.setIsInitHookCalled(true);
  return microservice;
}
