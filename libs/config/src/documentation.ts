import { fallbackOf, metaOf, type SettingsSchema } from './setting.js';

/** The documentation of one setting. */
export interface SettingDescription {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  readonly secret: boolean;
  /** The text of the default; undefined when there is none. */
  readonly fallback?: string;
  readonly example?: string;
  /** A range or a list of words; undefined for free text. */
  readonly values?: string;
}

/** Returns the documentation of the settings of a schema, in order. @throws Error when a setting has no description */
export function describeConfig(schema: SettingsSchema): SettingDescription[] {
  return Object.entries(schema.shape).map(([name, setting]) => {
    const { description, secret = false, example, values } = metaOf(setting);
    if (!description) throw new Error(`${name} has no description`);
    const fallback = fallbackOf(setting);
    return {
      name,
      description,
      required: !setting.safeParse(undefined).success,
      secret,
      ...(fallback !== undefined && { fallback }),
      ...(example !== undefined && { example }),
      ...(values !== undefined && { values }),
    };
  });
}

/** The settings of one app or command. */
export interface ConfigSection {
  readonly title: string;
  /** Sentences above the table. */
  readonly intro?: string;
  readonly schema: SettingsSchema;
}

const PAGE_INTRO = `<!-- Generated from the settings' schemas; edit those. -->

# Configuration

Settings are environment variables, read once when an app or command starts. An app with invalid settings does not start, and lists all the
invalid ones. An empty variable counts as not set. A secret may also be read from a file: set \`<NAME>_FILE\` to its path.
\`npm start\` needs no setting, nor do commands in the same checkout while it runs.
`;

/** Returns the text of docs/configuration.md: a table of settings per section. */
export function configurationPage(sections: readonly ConfigSection[]): string {
  return [PAGE_INTRO, ...sections.map(sectionText)].join('\n');
}

function sectionText({ title, intro, schema }: ConfigSection): string {
  const rows = describeConfig(schema).map(rowOf);
  const head = ['| Name | Default | Values | Meaning |', '| --- | --- | --- | --- |'];
  return `${[`## ${title}`, '', ...(intro ? [intro, ''] : []), ...head, ...rows].join('\n')}\n`;
}

function rowOf(setting: SettingDescription): string {
  const mark = setting.secret ? ' Secret.' : '';
  return `| \`${setting.name}\` | ${defaultOf(setting)} | ${cell(setting.values ?? '')} | ${cell(setting.description)}${mark} |`;
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
# While \`npm start\` runs, nothing needs to be set.
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
