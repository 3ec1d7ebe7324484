import { readFileSync } from 'node:fs';

const SECTION = /^# --- (.+) ---$/;
const SETTING = /^(?:# )?([A-Z][A-Z0-9_]*)=(.*)$/;

/** Returns the settings of each program with the value that `.env.example` shows: the default, or an example where there is none. */
export function settings(file: string): Record<string, Record<string, string>> {
  const sections: Record<string, Record<string, string>> = {};
  let section: Record<string, string> = {};
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const [, title] = SECTION.exec(line) ?? [];
    if (title !== undefined) {
      section = {};
      sections[title] = section;
    }
    const [, name, value] = SETTING.exec(line) ?? [];
    if (name !== undefined && value !== undefined) section[name] = value;
  }
  return sections;
}
