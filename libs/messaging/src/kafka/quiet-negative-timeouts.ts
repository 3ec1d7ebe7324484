const NAME = 'TimeoutNegativeWarning';
const filtered = Symbol.for('carbon.messaging.quiet-negative-timeouts');

type EmitWarning = (warning: string | Error, ...rest: unknown[]) => void;
/** The part of `process` that is touched. */
export interface WarningSource {
  emitWarning: EmitWarning;
  [filtered]?: true;
}

function isKafkajs(rest: readonly unknown[]): boolean {
  if (rest[0] !== NAME) return false;
  return /[\\/]kafkajs[\\/]/.test(new Error(NAME).stack ?? '');
}

/**
 * Drops exactly one warning: kafkajs' request queue sets a timer to "now minus the time of day" whenever nothing is
 * throttled, which Node 24 reports at every start (https://github.com/tulios/kafkajs/issues/1751). The timer is harmless:
 * Node makes it 1 ms. The same warning from anybody else still shows.
 */
export function quietNegativeTimeouts(source: WarningSource): void {
  if (source[filtered] === true) return;
  source[filtered] = true;
  const emit = source.emitWarning;
  source.emitWarning = (warning, ...rest) => {
    if (!isKafkajs(rest)) emit.call(source, warning, ...rest);
  };
}
