import { commandSettings, kafkaSettings, openSearchSettings } from '@carbon/config';
import {
  createKafka,
  DeadlineExceeded,
  hasErrorType,
  type KafkaHandle,
  kafkaConnection,
  kafkaHint,
  TopicIdentityError,
  waitForKafka,
} from '@carbon/messaging';
import { type CommandContext, CommandError, type ProgressReporter, UnavailableError } from '@carbon/terminal';
import { z } from 'zod';
import { catalogSettings } from '../catalog.config.js';
import { layoutOf } from '../index/index-body.js';
import { LibraryIndex } from '../index/library-index.js';
import { OpenSearch, waitForOpenSearch } from '../open-search/open-search.js';
import { openSearchConnection, openSearchHint, openSearchHosts } from '../open-search/open-search-connection.js';
import { OpenSearchRequestError, OpenSearchUnavailableError } from '../open-search/open-search-errors.js';

const settings = z.object({
  ...catalogSettings.pick({ INDEX_PREFIX: true, OPENSEARCH_SHARDS: true, OPENSEARCH_REPLICAS: true }).shape,
  ...openSearchSettings,
  ...kafkaSettings,
  ...commandSettings.shape,
});

/** The connections of the commands. */
export interface Engines {
  readonly openSearch: OpenSearch;
  readonly library: LibraryIndex;
  readonly kafka: KafkaHandle;
}

/**
 * Runs `work` with the engines of the system in this checkout, or with those that the environment names.
 * @throws CommandError that explains an error of an engine
 */
export async function withEngines<T>(
  context: CommandContext,
  progress: ProgressReporter,
  work: (engines: Engines) => Promise<T>,
): Promise<T> {
  const config = context.settings(settings);
  const openSearch = new OpenSearch(openSearchConnection(config));
  const say = (sentence: string) => progress.say(sentence);
  const kafka = createKafka({ ...kafkaConnection(config), clientId: 'catalog-cli' });
  try {
    await waitForOpenSearch(openSearch, config.ENGINE_WAIT_MS, say);
    await waitForKafka(kafka, config.ENGINE_WAIT_MS, say);
    const library = new LibraryIndex(openSearch, config.INDEX_PREFIX, layoutOf(config));
    return await work({ openSearch, library, kafka });
  } catch (error) {
    throw withHint(error, { openSearch: openSearchHosts(config), kafka: config.KAFKA_BROKERS.join(', ') });
  } finally {
    await openSearch.close();
  }
}

/** Adds a hint to an error of an engine. The addresses contain no passwords. */
function withHint(error: unknown, { openSearch, kafka }: { openSearch: string; kafka: string }): unknown {
  if (error instanceof CommandError) return error;
  if (error instanceof OpenSearchUnavailableError) {
    return new UnavailableError(
      `OpenSearch at ${openSearch} cannot be used. ${openSearchHint(error) ?? 'Is it running (`npm start`), and does OPENSEARCH_URL name it?'}`,
    );
  }
  if (error instanceof OpenSearchRequestError)
    return new CommandError(`OpenSearch at ${openSearch} rejected the request: ${error.status} ${error.type}.`);
  if (error instanceof z.ZodError)
    return new UnavailableError(
      `OpenSearch at ${openSearch} gave an unexpected response. Are all of its shards assigned, and does OPENSEARCH_URL name it?`,
    );
  if (hasErrorType(error, 'UNKNOWN_TOPIC_OR_PARTITION')) {
    return new CommandError('Kafka has no topic asset.published. Check TOPIC_PREFIX; `npm start` creates the topics.');
  }
  if (hasErrorType(error, 'TOPIC_AUTHORIZATION_FAILED'))
    return new CommandError(
      `Kafka at ${kafka} does not let this user read asset.published: grant it Describe and Read.`,
    );
  if (!isKafkaError(error)) return error;
  return new UnavailableError(
    `Kafka at ${kafka} cannot be used: ${error.message}. ${kafkaHint(error) ?? 'Is it running (`npm start`), and does KAFKA_BROKERS name it?'}`,
  );
}

function isKafkaError(error: unknown): error is Error {
  const isOurs = [DeadlineExceeded, TopicIdentityError].some((type) => error instanceof type);
  if (isOurs || kafkaHint(error) !== undefined) return true;
  return error instanceof Error && error.name.startsWith('KafkaJS');
}
