import type { ConfigSection } from './configuration-page.js';
import { describeConfig, type SettingDescription } from './describe-config.js';

const INTRO = `# Every setting with its default, commented out: copy what you change. Generated; docs/configuration.md says more.
# Beside \`npm start\` nothing needs to be set.
#
# Of a copy called .env docker compose takes what docker-compose.yml names; nothing else reads it by itself. To give it to
# a command, load it into the shell first:
#   set -a; . ./.env; set +a; npm start
`;

/** .env.example: every setting as a comment and a line to copy. One that several sections share stands in the first. */
export function envExample(sections: readonly ConfigSection[]): string {
  const seen = new Set<string>();
  const parts = sections.map(({ title, schema }) => {
    const settings = describeConfig(schema).filter((setting) => isNew(setting, seen));
    return settings.length === 0 ? [] : [`# --- ${title} ---\n`, ...settings.map(lineOf)];
  });
  return [INTRO, ...parts.flat()].join('\n');
}

/** Two apps may give one name different defaults: both are shown. */
function isNew({ name, fallback }: SettingDescription, seen: Set<string>): boolean {
  const key = `${name}=${fallback}`;
  if (seen.has(key)) return false;
  seen.add(key);
  return true;
}

function lineOf({ name, description, fallback, example, required }: SettingDescription): string {
  const value = fallback ?? example ?? '';
  return `# ${description.replaceAll('\n', ' ')}\n${required ? '' : '# '}${name}=${value}\n`;
}
