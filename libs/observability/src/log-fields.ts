import { withoutSecrets } from '@carbon/auth';

/**
 * The fields of log lines. Any other field is dropped and only its name logged, so that a body, a key or a customer's
 * reference cannot be logged by accident. Add a field only if it never contains any of these.
 */
export const LOG_FIELDS = [
  'account',
  'address',
  'app',
  'asset',
  'assets',
  'attempt',
  'attempts',
  'code',
  'count',
  'dependency',
  'err',
  'generation',
  'group',
  'host',
  'id',
  'index',
  'method',
  'ms',
  'name',
  'part',
  'partition',
  'partitions',
  'path',
  'pid',
  'port',
  'position',
  'reason',
  'replaced',
  'requestId',
  'route',
  'signal',
  'state',
  'status',
  'topic',
  'traceId',
  'type',
  'waitMs',
] as const;

/** A field of {@link LOG_FIELDS}. */
export type LogField = (typeof LOG_FIELDS)[number];

const ALLOWED: ReadonlySet<string> = new Set(LOG_FIELDS);
/** Longer texts are truncated. */
const MAX_LENGTH = 1_000;

/** Returns the allowed fields, long texts truncated, and the names of the others under `dropped`. */
export function allowedFields(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  const dropped: string[] = [];
  for (const [name, value] of Object.entries(fields)) {
    if (ALLOWED.has(name)) kept[name] = printable(value);
    else dropped.push(name.slice(0, 64));
  }
  return dropped.length > 0 ? { ...kept, dropped } : kept;
}

function printable(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'string') return value;
  const text = withoutSecrets(value);
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
}
