import type { SettingsSchema } from '../setting.js';
import { describeConfig, type SettingDescription } from './describe-config.js';

/** The settings of one app or command. */
export interface ConfigSection {
  readonly title: string;
  /** A sentence or two above its table. */
  readonly intro?: string;
  readonly schema: SettingsSchema;
}

const INTRO = `<!-- Generated from the settings' schemas; edit those. -->

# Configuration

Everything is set by environment variables, read once at the start. A wrong setting stops the start, and all wrong ones
are listed together. An empty variable counts as not set. A secret may also be read from a file: set \`<NAME>_FILE\` to
its path. Beside \`npm start\`, nothing needs to be set.
`;

/** docs/configuration.md: a table of settings per section. */
export function configurationPage(sections: readonly ConfigSection[]): string {
  return [INTRO, ...sections.map(sectionText)].join('\n');
}

function sectionText({ title, intro, schema }: ConfigSection): string {
  const rows = describeConfig(schema).map(rowOf);
  const head = ['| Name | Default | Meaning |', '| --- | --- | --- |'];
  return `${[`## ${title}`, '', ...(intro ? [intro, ''] : []), ...head, ...rows].join('\n')}\n`;
}

function rowOf(setting: SettingDescription): string {
  const mark = setting.secret ? ' Secret.' : '';
  return `| \`${setting.name}\` | ${defaultOf(setting)} | ${cell(setting.description)}${mark} |`;
}

function defaultOf({ fallback, required }: SettingDescription): string {
  if (fallback === undefined) return required ? '*required*' : '*none*';
  return fallback === '' ? '*empty*' : `\`${cell(fallback)}\``;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}
