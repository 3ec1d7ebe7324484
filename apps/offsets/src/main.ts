import 'reflect-metadata';
import { loadConfigOrExit } from '@carbon/config';
import { createLogger, createService, runService } from '@carbon/observability';
import { Consumers } from './consumers.js';
import { offsetsSettings } from './offsets.config.js';
import { OffsetsModule } from './offsets.module.js';

async function start(): Promise<void> {
  const config = loadConfigOrExit(offsetsSettings);
  const logger = createLogger({ app: 'offsets', level: config.LOG_LEVEL });
  const app = await createService(OffsetsModule.with(config, logger), { logger, settings: config });
  app.get(Consumers).connect(app);
  await runService(app, { name: 'offsets', host: config.HOST, port: config.PORT, logger });
}

await start();
