import 'reflect-metadata';
import { loadConfigOrExit } from '@carbon/config';
import { createLogger, createService, runService } from '@carbon/observability';
import { Consumers } from './consumers.js';
import { offsetsSettings } from './offsets.config.js';
import { offsetsModule } from './offsets.module.js';

async function start(): Promise<void> {
  const config = loadConfigOrExit(offsetsSettings);
  const logger = createLogger({ app: 'offsets', level: config.LOG_LEVEL });
  const app = await createService(offsetsModule(config, logger), { logger, settings: config });
  app.get(Consumers).connect(app);
  const { HOST: host, PORT: port, SHUTDOWN_GRACE_MS: graceMs } = config;
  await runService(app, { name: 'offsets', host, port, logger, graceMs });
}

await start();
