import { withoutSecrets } from '@carbon/auth';

/**
 * The fields a log line may hold beside its sentence. Anything else is dropped and only its name kept, so that a body, a
 * key or a customer's reference cannot be logged by accident. Add a field here once it is known to hold no such thing.
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
  'path',
  'pid',
  'port',
  'position',
  'reason',
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

/** The name of a field that a line may hold. */
export type LogField = (typeof LOG_FIELDS)[number];

const ALLOWED: ReadonlySet<string> = new Set(LOG_FIELDS);
/** Longer texts are cut: a line is for reading. */
const LONGEST = 1_000;

/** The allowed fields, long texts cut; the names of dropped ones under `dropped`. */
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
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
