import { ConfigError, type Environment, loadCliEnvironment, loadConfig } from '@carbon/config';
import { createKafka, type KafkaHandle } from '@carbon/messaging';
import { catalogSettings } from '../catalog.config.js';
import { LibraryIndex } from '../indexing/library-index.js';
import { OpenSearch } from '../open-search/open-search.js';
import { explained, WrongUsage } from './failures.js';

const settings = catalogSettings.pick({
  OPENSEARCH_URL: true,
  INDEX_PREFIX: true,
  KAFKA_BROKERS: true,
  TOPIC_PREFIX: true,
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
  const { OPENSEARCH_URL, INDEX_PREFIX, KAFKA_BROKERS: brokers, TOPIC_PREFIX: topicPrefix } = read(environment);
  const openSearch = new OpenSearch(OPENSEARCH_URL);
  const kafka = createKafka({ brokers, clientId: 'catalog-cli', topicPrefix });
  try {
    return await work({ openSearch, library: new LibraryIndex(openSearch, INDEX_PREFIX), kafka });
  } catch (error) {
    throw explained(error, { openSearch: new URL(OPENSEARCH_URL).host, kafka: brokers.join(', ') });
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
