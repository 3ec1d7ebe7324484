import { kafkaSettings, loadCliEnvironment, loadConfig, url } from '@carbon/config';
import { z } from 'zod';

const settings = z.object({
  KAFKA_BROKERS: kafkaSettings.KAFKA_BROKERS,
  OPENSEARCH_URL: url(['http', 'https'], {
    description: 'Where OpenSearch answers.',
    fallback: 'http://127.0.0.1:29200',
    secret: true,
  }),
});

/** The Kafka and the OpenSearch of the environment, else of the system that runs in this checkout, else the usual ones. */
export function runningEngines(): { readonly kafkaBrokers: string; readonly opensearchUrl: string } {
  const { KAFKA_BROKERS, OPENSEARCH_URL } = loadConfig(settings, loadCliEnvironment());
  return { kafkaBrokers: KAFKA_BROKERS.join(','), opensearchUrl: OPENSEARCH_URL };
}
