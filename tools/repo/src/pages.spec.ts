import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parser } from '@prometheus-io/lezer-promql';
import { parse } from 'yaml';
import { ROOT, textOf, trackedFiles } from './tracked-files.js';

const PAGES = trackedFiles().filter((file) => /^(docs\/.+|[A-Z]+)\.md$/.test(file));

/** Returns the anchors of the headings of a page. */
function anchorsOf(file: string): string[] {
  const headings = [...textOf(file).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading.toLowerCase());
  return headings.map((heading) => heading.replace(/[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-'));
}

function deadLinks(page: string): string[] {
  const links = [...textOf(page).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g)];
  return links.flatMap(([link, file = '', anchor]) => {
    const target = file === '' ? resolve(ROOT, page) : resolve(ROOT, dirname(page), file);
    const found = existsSync(target) && (anchor === undefined || anchorsOf(target).includes(anchor));
    return found ? [] : [`${page}: ${link}`];
  });
}

describe('the documentation pages', () => {
  it('link only to existing files and headings', () => {
    expect(PAGES.flatMap(deadLinks)).toEqual([]);
  });

  it('follow one offset in docs/architecture.md through a dozen files, and name an identifier of each', () => {
    const rows = [...textOf('docs/architecture.md').matchAll(/^\| [^|]+ \| `([^`|]+\.ts)` \| `([^`|]+)` \|$/gm)];
    expect(rows.length).toBeGreaterThanOrEqual(12);
    const wrong = rows.filter(([, file = '', word = '']) => !textOf(file).includes(word));
    expect(wrong.map(([row]) => row)).toEqual([]);
  });

  it('name the scripts of package.json, docs/commands.md almost all of them', () => {
    const { scripts } = JSON.parse(textOf('package.json'));
    const named = ['README.md', 'CONTRIBUTING.md', 'docs/commands.md'].flatMap((page) =>
      [...textOf(page).matchAll(/npm (?:run (?:--silent )?([a-z][a-z:-]*)|(start|test)\b)/g)].map(
        ([, run, direct]) => run ?? direct,
      ),
    );
    expect(new Set(named).size).toBeGreaterThan(15);
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(named));
  });

  it('name on docs/third-party-patches.md files and tests that exist', () => {
    const named = [...textOf('docs/third-party-patches.md').matchAll(/`((?:apps|libs|e2e)\/[^`]+\.ts)`/g)];
    expect(named.length).toBeGreaterThan(40);
    expect(named.map(([, file = '']) => file).filter((file) => !existsSync(resolve(ROOT, file)))).toEqual([]);
  });

  it('list on docs/events.md the reason codes of dead letters', () => {
    const consumers =
      /^(libs\/messaging\/src\/pipeline|apps\/offsets\/src\/(receive|supply)|apps\/catalog\/src\/ingest)\/[^/]+\.ts$/;
    const reason = /\binvalidMessage\([^':]*'([a-z_]+)'|\bcode: '([a-z_]+)',\s*detail/g;
    const sources = trackedFiles().filter((file) => consumers.test(file) && !/\.spec\.ts$|\/test-[^/]+$/.test(file));
    const found = sources.flatMap((file) =>
      [...textOf(file).matchAll(reason)].map(([, invalid, code]) => invalid ?? code),
    );
    const [, table = ''] = textOf('docs/events.md').split('\n| reason | means | what to do |\n');
    const rows = [...(table.split('\n\n')[0] ?? '').matchAll(/^\| `([a-z_]+)` \|/gm)].map(([, name]) => name);
    expect(rows.sort()).toEqual([...new Set(found)].sort());
  });
});

describe('tools/repo/long-specs.json', () => {
  it('names only existing specs', () => {
    const specs = new Set(trackedFiles().filter((file) => file.endsWith('.spec.ts')));
    const named = Object.keys(JSON.parse(textOf('tools/repo/long-specs.json')));
    expect(named.filter((file) => !specs.has(file))).toEqual([]);
  });
});

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook_url?: string };
}

const groups: { name: string; rules: Rule[] }[] = parse(textOf('infra/prometheus/alerts.yml')).groups;
const rules = groups.flatMap((group) => group.rules);
const runbook = textOf('docs/runbook.md');
const sections = [...runbook.matchAll(/^### (\w+)\n\n([\s\S]*?)(?=\n##|$(?![\s\S]))/gm)];
const sectionOf = (alert: string) => sections.find(([, name]) => name === alert)?.[2] ?? '';

/** Returns the names of metrics in a text, with the parts of a histogram replaced by its name. */
function namesIn(text: string): string[] {
  const names = [...text.matchAll(/\b(?:carbon|process|nodejs)_[a-z0-9_]+[a-z0-9]\b/g)].map(([name]) => name);
  return [...new Set(names.map((name) => name.replace(/_(bucket|sum|count)$/, '')))];
}

/** Metrics of every process, which the apps' own tests check. */
const OF_THE_PROCESS = [
  'nodejs_eventloop_lag_p99_seconds',
  'process_cpu_seconds_total',
  'process_resident_memory_bytes',
  'process_start_time_seconds',
];

describe('the alerts and the runbook', () => {
  it('have a section for each alert and no other', () => {
    expect(sections.map(([, name]) => name).sort()).toEqual(rules.map(({ alert }) => alert).sort());
  });

  it('are rules that Prometheus parses, each with a severity', () => {
    const errors = ({ alert, expr }: Rule) => {
      const wrong: string[] = [];
      parser.parse(expr).iterate({
        enter: ({ type, from, to }) =>
          void (type.isError && wrong.push(`${alert} ${from}: ${expr.slice(from, to + 20)}`)),
      });
      return wrong;
    };
    expect(rules.flatMap(errors)).toEqual([]);
    for (const { for: wait = '0s', labels, annotations } of rules) {
      expect(wait).toMatch(/^\d+[smh]$/);
      expect(labels.severity).toMatch(/^(page|ticket)$/);
      expect(annotations.summary).toMatch(/\.$/);
    }
  });

  it.each(rules)(
    'explain $alert: its meaning, where to look, what to do and what not to do, with the same expression as its rule',
    (rule) => {
      const section = sectionOf(rule.alert);
      const [head = ''] = section.split('\n');
      expect(section).toContain(` · ${rule.labels.severity}\n`);
      expect(head).toContain(rule.for?.replace(/^(\d+)m$/, 'for $1 min').replace(/^(\d+)h$/, 'for $1 h') ?? '');
      for (const part of ['Means', 'Look', 'Do', 'Do not']) expect(section).toContain(`\n- **${part}** `);
      const thresholds = (text: string) => [...text.matchAll(/(?:==|>) ([\d.]+)/g)].map(([, number]) => number);
      expect(thresholds(rule.expr)).toEqual(expect.arrayContaining(thresholds(head)));
    },
  );

  it('lead from each alert to its section of the runbook', () => {
    const urls = rules.map(({ annotations }) => annotations.runbook_url);
    expect(urls).toEqual(rules.map(({ alert }) => `docs/runbook.md#${alert.toLowerCase()}`));
    const anchors = anchorsOf('docs/runbook.md').map((anchor) => `docs/runbook.md#${anchor}`);
    expect(urls.filter((url) => !anchors.includes(url ?? ''))).toEqual([]);
  });

  it('watch, in the alerts of every app, each app that has the metric', () => {
    const everyApp = groups.find(({ name }) => name === 'every-app')?.rules ?? [];
    const documented = namesIn(textOf('docs/metrics.md'));
    const watched = everyApp.flatMap(({ expr }) => namesIn(expr));
    const rest = new Set(watched.map((name) => /^carbon_[a-z]+_(.+)/.exec(name)?.[1]));
    const due = documented.filter((name) => rest.has(/^carbon_[a-z]+_(.+)/.exec(name)?.[1] ?? ''));
    expect(due.length).toBeGreaterThan(5);
    expect(watched).toEqual(expect.arrayContaining(due));
  });

  it('use only existing metrics', () => {
    const documented = [...namesIn(textOf('docs/metrics.md')), ...OF_THE_PROCESS];
    const named = namesIn([runbook, ...rules.map(({ expr }) => expr)].join('\n'));
    expect(named.filter((name) => !documented.includes(name))).toEqual([]);
  });
});
