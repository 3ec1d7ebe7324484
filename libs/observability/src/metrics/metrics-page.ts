import type { MetricDefinition, MetricTable } from './metric-definition.js';

/** An app with its metrics, for the documents. */
export interface MetricsSection {
  readonly title: string;
  readonly tables: readonly MetricTable[];
}

const HEAD = `<!-- Generated from the definitions of the metrics; edit those. -->

# Metrics

\`GET /metrics\` of each app, in Prometheus' text format: beside the app's routes, or on \`MANAGEMENT_PORT\` alone where that is
set. Units are seconds, bytes, grams and whole things. Counters end in \`_total\` and begin at 0 with the process; a histogram
\`x\` is \`x_bucket\`, \`x_sum\` and \`x_count\`. A gauge that nobody knows a value for is absent, never 0. No label holds an
id of a client's, an account or anything else that a client chooses.

What is to be done about them is in the [runbook](runbook.md), with an alarm for each that is worth one. Beside these, every
app shows what Node.js knows of its process: \`process_*\` (CPU, memory, file descriptors, start) and \`nodejs_*\` (event loop
lag, garbage collection, heap).
`;

/** docs/metrics.md. */
export function metricsPage(sections: readonly MetricsSection[]): string {
  return `${[HEAD, ...sections.map(sectionText)].join('\n')}`;
}

function sectionText({ title, tables }: MetricsSection): string {
  const rows = tables.flatMap((table) => Object.values(table)).map(row);
  return `## ${title}\n\n| Metric | Type | Labels | Means |\n| --- | --- | --- | --- |\n${rows.join('\n')}\n`;
}

function row({ name, kind, help, labels }: MetricDefinition): string {
  const said = Object.entries(labels).map(([label, values]) => `\`${label}\`: ${values}`);
  return `| \`${name}\` | ${kind} | ${said.join('<br>')} | ${help} |`.replaceAll('|  |', '| |');
}
