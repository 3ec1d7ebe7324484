import {
  ConfigError,
  commandSettings,
  type Environment,
  kafkaSettings,
  loadCliEnvironment,
  loadConfig,
  openSearchSettings,
} from '@carbon/config';
import { createKafka, type KafkaHandle, kafkaConnection, waitForKafka } from '@carbon/messaging';
import { z } from 'zod';
import { catalogSettings } from '../catalog.config.js';
import { layoutOf } from '../index/index-body.js';
import { LibraryIndex } from '../index/library-index.js';
import { OpenSearch, reachOpenSearch } from '../open-search/open-search.js';
import { openSearchConnection, openSearchHosts } from '../open-search/open-search-connection.js';
import { explained, WrongUsage } from './failures.js';

const settings = z.object({
  ...catalogSettings.pick({ INDEX_PREFIX: true, OPENSEARCH_SHARDS: true, OPENSEARCH_REPLICAS: true }).shape,
  ...openSearchSettings,
  ...kafkaSettings,
  ...commandSettings.shape,
});

/** What the commands work on. */
export interface Engines {
  readonly openSearch: OpenSearch;
  readonly library: LibraryIndex;
  readonly kafka: KafkaHandle;
}

/**
 * Lends the engines of the system that runs in this checkout; elsewhere those that the environment names.
 * @throws WrongUsage when the settings are unsound, CannotDo when an engine does not play along
 */
export async function withEngines<T>(
  work: (engines: Engines) => Promise<T>,
  environment: Environment = loadCliEnvironment(),
): Promise<T> {
  const config = read(environment);
  const { INDEX_PREFIX, ENGINE_WAIT_MS } = config;
  const openSearch = new OpenSearch(openSearchConnection(config));
  const say = (sentence: string) => void process.stderr.write(`${sentence}\n`);
  const kafka = createKafka({ ...kafkaConnection(config), clientId: 'catalog-cli' });
  try {
    await reachOpenSearch(openSearch, ENGINE_WAIT_MS, say);
    await waitForKafka(kafka, ENGINE_WAIT_MS, say);
    return await work({ openSearch, library: new LibraryIndex(openSearch, INDEX_PREFIX, layoutOf(config)), kafka });
  } catch (error) {
    throw explained(error, { openSearch: openSearchHosts(config), kafka: config.KAFKA_BROKERS.join(', ') });
  } finally {
    await openSearch.close();
  }
}

function read(environment: Environment) {
  try {
    return loadConfig(settings, environment);
  } catch (error) {
    throw error instanceof ConfigError ? new WrongUsage(error.message) : error;
  }
}
