import { inheritedEnvironment } from '@carbon/config';

/** What the launcher decides for each app and step must not come in by the shell, nor one app's secrets to another. */
const DECIDED =
  /^((MANAGEMENT_)?(PORT|HOST)|KAFKA_(BROKERS|TLS.*|SASL_.*)|(TOPIC|INDEX)_PREFIX|API_KEYS_FILE|((ID|IDEMPOTENCY|CURSOR|INTERNAL)_SECRETS|DATABASE_\w+|OPENSEARCH_(URL|USERNAME|PASSWORD|CA|CERT|KEY))(_FILE)?)$/;

/** The environment of an app or a step: its own settings, and of the launcher's what the launcher does not decide. */
export function environmentWith(
  own: Readonly<Record<string, string>>,
  launchers: Readonly<Record<string, string>> = inheritedEnvironment(),
): Record<string, string> {
  const kept = Object.entries(launchers).filter(([name]) => !DECIDED.test(name));
  return { ...Object.fromEntries(kept), ...own };
}
