import 'reflect-metadata';
import { exitOnConfigError, loadConfigOrExit } from '@carbon/config';
import { createLogger, createService, runService } from '@carbon/observability';
import { gatewaySettings } from './gateway.config.js';
import { gatewayModule } from './gateway.module.js';

async function start(): Promise<void> {
  const config = loadConfigOrExit(gatewaySettings);
  const logger = createLogger({ app: 'gateway', level: config.LOG_LEVEL });
  const gateway = exitOnConfigError(() => gatewayModule(config, logger));
  const app = await createService(gateway, { logger, settings: config, compresses: true });
  const { HOST: host, PORT: port, SHUTDOWN_GRACE_MS: graceMs } = config;
  await runService(app, { name: 'gateway', host, port, logger, graceMs });
}

await start();
