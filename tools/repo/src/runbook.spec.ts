import { parser } from '@prometheus-io/lezer-promql';
import { parse } from 'yaml';
import { textOf } from './tracked-files.js';

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string };
}

const groups: { name: string; rules: Rule[] }[] = parse(textOf('infra/prometheus/alerts.yml')).groups;
const rules = groups.flatMap((group) => group.rules);
const runbook = textOf('docs/runbook.md');
const sections = [...runbook.matchAll(/^### (\w+)\n\n([\s\S]*?)(?=\n##|$(?![\s\S]))/gm)];

/** Names of metrics as they are written, with the parts of histograms taken for the whole. */
function namesIn(text: string): string[] {
  const names = [...text.matchAll(/\b(?:carbon|process|nodejs)_[a-z0-9_]+[a-z0-9]\b/g)].map(([name]) => name);
  return [...new Set(names.map((name) => name.replace(/_(bucket|sum|count)$/, '')))];
}

const documented = new Set(namesIn(textOf('docs/metrics.md')));
/** What every process shows; these the apps' own tests find in what they expose. */
const OF_THE_PROCESS = [
  'nodejs_eventloop_lag_p99_seconds',
  'process_cpu_seconds_total',
  'process_resident_memory_bytes',
  'process_start_time_seconds',
];

describe('the alarms', () => {
  it('have a section in the runbook each, and the runbook has no other', () => {
    expect(sections.map(([, name]) => name).sort()).toEqual(rules.map(({ alert }) => alert).sort());
  });

  it.each(rules)('$alert is a rule that Prometheus understands', ({ expr, for: wait = '0s', labels, annotations }) => {
    const wrong: string[] = [];
    parser.parse(expr).iterate({
      enter: ({ type, from, to }) => void (type.isError && wrong.push(`${from}: ${expr.slice(from, to + 20)}`)),
    });
    expect(wrong).toEqual([]);
    expect(wait).toMatch(/^\d+[smh]$/);
    expect(labels.severity).toMatch(/^(page|ticket)$/);
    expect(annotations.summary).toMatch(/\.$/);
  });

  it.each(sections.map(([, name = '', text = '']) => ({ name, text })))(
    '$name says what it means, where to look, what to do and what not to do',
    ({ name, text }) => {
      const rule = rules.find(({ alert }) => alert === name);
      expect(text).toContain(` · ${rule?.labels.severity}\n`);
      const wait = rule?.for?.replace(/^(\d+)m$/, 'for $1 min').replace(/^(\d+)h$/, 'for $1 h');
      if (wait !== undefined) expect(text.split('\n')[0]).toContain(wait);
      for (const part of ['Means', 'Look', 'Do', 'Do not']) expect(text).toContain(`\n- **${part}** `);
    },
  );

  it('ask only for metrics that there are', () => {
    const asked = rules.flatMap(({ expr }) => namesIn(expr)).filter((name) => !OF_THE_PROCESS.includes(name));
    expect(asked.filter((name) => !documented.has(name))).toEqual([]);
  });
});

describe('the runbook', () => {
  it('speaks only of metrics that there are', () => {
    const named = namesIn(runbook).filter((name) => !OF_THE_PROCESS.includes(name));
    expect(named.filter((name) => !documented.has(name))).toEqual([]);
  });

  it('gives each alarm the threshold that its rule has', () => {
    const thresholds = (text: string) => [...text.matchAll(/(?:==|>) ([\d.]+)/g)].map(([, number]) => number);
    for (const { alert, expr } of rules) {
      const said = sections.find(([, name]) => name === alert)?.[2]?.split('\n')[0] ?? '';
      for (const threshold of thresholds(said))
        expect([alert, thresholds(expr)]).toEqual([alert, expect.arrayContaining([threshold])]);
    }
  });
});
