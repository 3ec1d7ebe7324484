import 'reflect-metadata';
import { loadConfigOrExit } from '@carbon/config';
import { createLogger, createService, runService } from '@carbon/observability';
import { catalogSettings } from './catalog.config.js';
import { catalogModule } from './catalog.module.js';
import { IndexReconciler } from './index/index-reconciler.js';
import { SearchWarmUp } from './search/search-warm-up.js';

async function start(): Promise<void> {
  const config = loadConfigOrExit(catalogSettings);
  const logger = createLogger({ app: 'catalog', level: config.LOG_LEVEL });
  const app = await createService(catalogModule(config, logger), { logger, settings: config });
  const { HOST: host, PORT: port, SHUTDOWN_GRACE_MS: graceMs } = config;
  await runService(app, { name: 'catalog', host, port, logger, graceMs });
  app.get(IndexReconciler).start(() => app.get(SearchWarmUp).run());
}

await start();
