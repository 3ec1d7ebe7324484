/** One value of a metric. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** A metric with all its values. */
export interface MetricFamily {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly samples: readonly Sample[];
}

const HELP = /^# HELP ([a-zA-Z_:][a-zA-Z0-9_:]*) ((?:[^\\]|\\[\\n])+)$/;
const TYPE = /^# TYPE (\S+) (counter|gauge|histogram|summary|untyped)$/;
const SAMPLE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (NaN|[+-]Inf|[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)$/;
/** In the value of a label only backslash, quote and line feed are escaped. */
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"(?:,|$)/gy;

/**
 * Reads Prometheus' text format 0.0.4 strictly (https://prometheus.io/docs/instrumenting/exposition_formats/): HELP and TYPE
 * once and first, the lines of a metric together, no series twice, nothing escaped that need not be.
 * @throws Error naming the line
 */
export function readExposition(text: string): Map<string, MetricFamily> {
  const families = new Map<string, MetricFamily & { type: string; samples: Sample[] }>();
  const series = new Set<string>();
  let current: (MetricFamily & { type: string; samples: Sample[] }) | undefined;
  if (!text.endsWith('\n')) throw new Error('The last line must end with a line feed.');
  for (const line of text.split('\n').filter((each) => each !== '')) {
    const [isHelp, helped = '', help = ''] = HELP.exec(line) ?? [];
    const [isType, typed, type = ''] = TYPE.exec(line) ?? [];
    const [isSample, name = '', labelText = '', value = ''] = SAMPLE.exec(line) ?? [];
    if (isHelp !== undefined && !families.has(helped)) {
      current = { name: helped, help, type: '', samples: [] };
      families.set(helped, current);
    } else if (isType !== undefined && current?.name === typed && current?.type === '') {
      current.type = type;
    } else if (isSample !== undefined && current !== undefined && belongs(name, current)) {
      const sample = { name, labels: labelsOf(labelText), value: Number(value.replace('Inf', 'Infinity')) };
      const key = `${name} ${JSON.stringify(Object.entries(sample.labels).sort())}`;
      if (series.has(key)) throw new Error(`Duplicate series: ${line}`);
      if (current.type === 'counter' && !(sample.value >= 0)) throw new Error(`A counter is below 0: ${line}`);
      series.add(key);
      current.samples.push(sample);
    } else throw new Error(`Not Prometheus' text format: ${line}`);
  }
  return families;
}

function belongs(name: string, { name: family, type }: MetricFamily): boolean {
  if (type === 'histogram') return ['_bucket', '_sum', '_count'].some((part) => name === family + part);
  return type !== '' && name === family;
}

function labelsOf(text: string): Record<string, string> {
  const labels: Record<string, string> = {};
  let read = 0;
  for (const [whole, name = '', value = ''] of text.matchAll(LABEL)) {
    if (name.startsWith('__') || name in labels) throw new Error(`Reserved or duplicate label: ${text}`);
    labels[name] = value.replaceAll(/\\(.)/g, (_, letter: string) => (letter === 'n' ? '\n' : letter));
    read += whole.length;
  }
  if (read !== text.length) throw new Error(`Labels cannot be read: ${text}`);
  return labels;
}

/** Returns the sum of a metric's samples with these labels; undefined without any. */
export function metricValue(
  families: ReadonlyMap<string, MetricFamily>,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number | undefined {
  const family = families.get(name) ?? families.get(name.replace(/_(bucket|sum|count)$/, ''));
  const values = (family?.samples ?? [])
    .filter((sample) => sample.name === name)
    .filter((sample) => Object.entries(labels).every(([label, value]) => sample.labels[label] === value))
    .map(({ value }) => value);
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0);
}
