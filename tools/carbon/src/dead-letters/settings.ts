import { ConfigError, commandSettings, kafkaSettings, loadCliEnvironment, loadConfig } from '@carbon/config';
import { WrongUsage } from '@carbon/terminal';
import { z } from 'zod';

const schema = z.object({ ...kafkaSettings, ...commandSettings.shape });

/** Where the topics are: the environment's word, else that of the system running in this checkout, else the default. */
export function readSettings() {
  try {
    return loadConfig(schema, loadCliEnvironment());
  } catch (error) {
    throw error instanceof ConfigError ? new WrongUsage(error.message) : error;
  }
}
