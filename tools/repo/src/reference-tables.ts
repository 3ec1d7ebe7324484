import { describeConfig, type SettingDescription, type SettingsSchema } from '@carbon/config';
import type { MetricTable } from '@carbon/observability';
import { table } from './generated-sections.js';

/** The settings of one app or command. */
export interface ConfigSection {
  readonly title: string;
  /** Sentences above the table. */
  readonly intro?: string;
  readonly schema: SettingsSchema;
}

/** The settings of each app and command, for docs/configuration.md. */
export function settingTables(sections: readonly ConfigSection[]): string {
  const texts = sections.map(({ title, intro, schema }) => {
    const rows = describeConfig(schema).map((setting) => {
      const meaning = `${cell(setting.description)}${setting.secret ? ' Secret.' : ''}`;
      return [`\`${setting.name}\``, defaultOf(setting), cell(setting.values ?? ''), meaning];
    });
    return [`## ${title}`, ...(intro ? [intro] : []), table(['Name', 'Default', 'Values', 'Meaning'], rows)];
  });
  return texts.flat().join('\n\n');
}

function defaultOf({ fallback, required }: SettingDescription): string {
  if (fallback === undefined) return required ? '*required*' : '*none*';
  return fallback === '' ? '*empty*' : `\`${cell(fallback)}\``;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}

const EXAMPLE_INTRO = `# Every setting with its default or an example, commented out. Copy the lines that you change. Generated from the settings;
# docs/configuration.md explains them. A value with other characters than letters, digits and ./:,@_+- needs single quotes.
# \`npm start\` needs no setting, nor do commands in the same checkout while it runs.
#
# docker compose reads a copy named .env, and uses the variables that docker-compose.yml names. Nothing else reads it. To use
# it with a command, load it into the shell first:
#   set -a; . ./.env; set +a; npm start
`;

/** Returns the text of .env.example: a comment and a line to copy for every setting, in the first section that has it. */
export function envExample(sections: readonly ConfigSection[]): string {
  const seen = new Set<string>();
  const parts = sections.map(({ title, schema }) => {
    const settings = describeConfig(schema).filter((setting) => addIfNew(setting, seen));
    return settings.length === 0 ? [] : [`# --- ${title} ---\n`, ...settings.map(lineOf)];
  });
  return [EXAMPLE_INTRO, ...parts.flat()].join('\n');
}

/** A setting with two defaults is listed twice. */
function addIfNew({ name, fallback }: SettingDescription, seen: Set<string>): boolean {
  const key = `${name}=${fallback}`;
  if (seen.has(key)) return false;
  seen.add(key);
  return true;
}

/** A shell reads the file: it would end an unquoted URL at `&`. */
const NEEDS_QUOTES = /:\/\/|[^\w./:,@+-]/;

function lineOf({ name, description, fallback, example, required, values }: SettingDescription): string {
  const plain = fallback ?? example ?? '';
  const value = NEEDS_QUOTES.test(plain) ? `'${plain}'` : plain;
  const allowed = values === undefined ? '' : ` Values: ${values}.`;
  return `# ${description.replaceAll('\n', ' ')}${allowed}\n${required ? '' : '# '}${name}=${value}\n`;
}

/** The metrics of each app, for docs/metrics.md. */
export function metricTables(
  apps: readonly { readonly title: string; readonly tables: readonly MetricTable[] }[],
): string {
  const texts = apps.map(({ title, tables }) => {
    const rows = tables.flatMap(Object.values<MetricTable[string]>).map(({ name, kind, help, labels }) => {
      const described = Object.entries(labels).map(([label, values]) => `\`${label}\`: ${values}`);
      return [`\`${name}\``, kind, described.join('<br>'), help];
    });
    return `## ${title}\n\n${table(['Metric', 'Type', 'Labels', 'Meaning'], rows)}`;
  });
  return texts.join('\n\n');
}
