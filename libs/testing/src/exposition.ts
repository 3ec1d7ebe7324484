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

const COMMENT = /^# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.*)$/;
const SAMPLE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/;
/** A label at the beginning of what is left; in its value only backslash, quote and line feed are escaped. */
const LABEL = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"(?:,|$)/;
const NUMBER = /^(?:NaN|[+-]Inf|[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)$/;
const TYPES = new Set(['counter', 'gauge', 'histogram', 'summary', 'untyped']);
/** What a line of a histogram may be called beside its family's name. */
const HISTOGRAM_PARTS = ['_bucket', '_sum', '_count'];

/**
 * Reads Prometheus' text format 0.0.4 as strictly as its page has it
 * (https://prometheus.io/docs/instrumenting/exposition_formats/): HELP and TYPE once and first, the lines of a metric
 * together, no series twice, nothing escaped that need not be, histograms cumulative and whole.
 * @throws Error naming the line
 */
export function readExposition(text: string): Map<string, MetricFamily> {
  if (!text.endsWith('\n')) throw new Error('The last line must end with a line feed.');
  const reader = new Reader();
  text
    .slice(0, -1)
    .split('\n')
    .forEach((line, index) => {
      try {
        reader.take(line);
      } catch (error) {
        throw new Error(`Line ${index + 1}: ${error instanceof Error ? error.message : error}\n${line}`);
      }
    });
  for (const family of reader.families.values()) if (family.type === 'histogram') checkHistogram(family);
  return reader.families;
}

interface OpenFamily {
  readonly name: string;
  readonly help: string;
  type: string;
  readonly samples: Sample[];
}

class Reader {
  readonly families = new Map<string, OpenFamily>();
  private readonly series = new Set<string>();
  private current: OpenFamily | undefined;

  take(line: string): void {
    if (line === '') return;
    if (line.startsWith('#')) this.comment(line);
    else this.sample(line);
  }

  private comment(line: string): void {
    const [, what, name = '', rest = ''] = COMMENT.exec(line) ?? [];
    if (what === 'HELP') {
      if (this.families.has(name)) throw new Error('its metric has been closed');
      if (!/^(?:[^\\]|\\[\\n])*$/.test(rest)) throw new Error('escapes what is not to be escaped');
      this.current = { name, help: rest, type: '', samples: [] };
      this.families.set(name, this.current);
    } else if (what === 'TYPE') {
      if (this.current?.name !== name || this.current.type !== '') throw new Error('TYPE without its HELP before it');
      if (!TYPES.has(rest)) throw new Error('no such type');
      this.current.type = rest;
    } else throw new Error('a comment that is neither HELP nor TYPE');
  }

  private sample(line: string): void {
    const [, name = '', labelText, valueText = ''] = SAMPLE.exec(line) ?? [];
    const family = this.current;
    if (family === undefined || !belongs(name, family)) throw new Error('not of the metric above it');
    if (!NUMBER.test(valueText)) throw new Error('no number');
    const labels = labelText === undefined ? {} : labelsOf(labelText);
    const key = `${name} ${JSON.stringify(Object.entries(labels).sort())}`;
    if (this.series.has(key)) throw new Error('the series stands here twice');
    this.series.add(key);
    const value = Number(valueText.replace('Inf', 'Infinity'));
    if (family.type === 'counter' && !(value >= 0)) throw new Error('a counter below 0');
    family.samples.push({ name, labels, value });
  }
}

function belongs(name: string, { name: family, type }: OpenFamily): boolean {
  if (type === 'histogram') return HISTOGRAM_PARTS.some((part) => name === family + part);
  return type !== '' && name === family;
}

function labelsOf(text: string): Record<string, string> {
  const labels: Record<string, string> = {};
  for (let rest = text; rest !== ''; ) {
    const [whole, name = '', value = ''] = LABEL.exec(rest) ?? [];
    if (whole === undefined || name.startsWith('__')) throw new Error('a label that cannot be read');
    if (name in labels) throw new Error('a label twice');
    labels[name] = value.replaceAll(/\\(.)/g, (_, letter: string) => (letter === 'n' ? '\n' : letter));
    rest = rest.slice(whole.length);
  }
  return labels;
}

function checkHistogram({ name, samples }: MetricFamily): void {
  const groups = Map.groupBy(samples, ({ labels: { le: _, ...others } }) =>
    JSON.stringify(Object.entries(others).sort()),
  );
  for (const [labels, group] of groups) {
    const buckets = group.filter((sample) => sample.name === `${name}_bucket`);
    const counts = group.filter((sample) => sample.name === `${name}_count`);
    const sums = group.filter((sample) => sample.name === `${name}_sum`);
    const bounds = buckets.map(({ labels: { le = '' } }) => Number(le.replace('Inf', 'Infinity')));
    const rising = (values: readonly number[]) =>
      values.every((value, place) => place === 0 || value >= (values[place - 1] ?? 0));
    const whole = counts.length === 1 && sums.length === 1 && bounds.at(-1) === Number.POSITIVE_INFINITY;
    const cumulative = rising(bounds) && rising(buckets.map(({ value }) => value));
    if (!whole || !cumulative || buckets.at(-1)?.value !== counts[0]?.value) {
      throw new Error(`${name} ${labels} is no whole histogram.`);
    }
  }
}

/** What stands at a series, its labels given in part; the sum of all that match. `undefined` when none does. */
export function figureOf(
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
