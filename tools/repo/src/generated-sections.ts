import { ASSET_FIELDS, type AssetField } from '@carbon/contracts';
import { CRITERIA_ERROR_CODES, operatorsOf } from '@carbon/criteria';
import { ITEM_CODES, PROBLEMS, type ProblemCode } from '@carbon/http';
import { z } from 'zod';

/** Returns the page with the text between `<!-- name: … -->` and `<!-- /name -->` generated again, for every part. */
export function withGeneratedSections(page: string, parts: Readonly<Record<string, string>>): string {
  return Object.entries(parts).reduce((text, [name, part]) => {
    const place = name.replaceAll('.', '\\.');
    const markers = new RegExp(`(<!-- ${place}: [^>]*-->\n)[\\s\\S]*?(<!-- /${place} -->)`);
    if (!markers.test(text)) throw new Error(`the page has no markers for ${name}`);
    return text.replace(markers, (_, begin: string, end: string) => `${begin}\n${part}\n\n${end}`);
  }, page);
}

const FIELDS = Object.entries<AssetField>(ASSET_FIELDS).map(([name, field]) => ({ name, ...field }));

/** A table in Markdown. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}

function typeOf({ type, exact, multi }: AssetField): string {
  return `${type}${exact ? ', also whole' : ''}${multi ? ', several' : ''}`;
}

/** The fields that criteria may name, for people. */
export function fieldTable(): string {
  const rows = FIELDS.map((field) => {
    const where = field.on.length === 2 ? 'both' : field.on[0] === 'POOL' ? 'pools' : 'projects';
    return [`\`${field.name}\``, typeOf(field), where, field.description];
  });
  return table(['field', 'type', 'assets', 'meaning'], rows);
}

/** Which operators each type of field takes, and the fields of the type. */
export function operatorTable(): string {
  const kinds = new Map<string, string[]>();
  for (const { name, type, multi = false, exact = false } of FIELDS) {
    const operators = operatorsOf({ name, type, multi, exact }).map((operator) => `\`${operator}\``);
    const kind = `${type}${exact ? ', also whole' : ''} | ${operators.join(' ')}`;
    kinds.set(kind, [...(kinds.get(kind) ?? []), `\`${name}\``]);
  }
  const rows = [...kinds].map(([kind, names]) => [...kind.split(' | '), names.join(' ')]);
  return table(['type', 'operators', 'fields'], rows);
}

const apiSecurity = z.object({
  paths: z.record(
    z.string(),
    z.record(z.string(), z.object({ security: z.array(z.record(z.string(), z.array(z.string()))) })),
  ),
});

/** The operations that each scope allows. @param api the description of the API, as JSON */
export function scopeTable(api: string): string {
  const operations = new Map<string, string[]>();
  for (const [path, methods] of Object.entries(apiSecurity.parse(JSON.parse(api)).paths)) {
    for (const [method, { security }] of Object.entries(methods)) {
      const [scope] = Object.values(security[0] ?? {}).flat();
      if (scope === undefined) continue;
      operations.set(scope, [...(operations.get(scope) ?? []), `\`${method.toUpperCase()} ${path}\``]);
    }
  }
  const rows = [...operations].map(([scope, allowed]) => [`\`${scope}\``, allowed.join(', ')]);
  return table(['scope', 'allows'], rows);
}

/** What a problem page is about: the first sentence behind the status. */
function summaryOf(page: string): string {
  const text = page.split('\n\n')[1]?.replaceAll('\n', ' ') ?? '';
  return /[Ss]tatus \d{3}\. (.+?)[.:](?: |$)/.exec(text)?.[1] ?? '';
}

/** The lists of docs/problems/README.md. @param pageOf the text of a code's page */
export function problemLists(pageOf: (code: string) => string): Readonly<Record<string, string>> {
  const link = (code: string) => `[\`${code}\`](${code}.md)`;
  const items = (codes: readonly string[]) =>
    table(
      ['code', 'says that'],
      codes.map((code) => [link(code), summaryOf(pageOf(code))]),
    );
  const criteria: readonly string[] = CRITERIA_ERROR_CODES.map((code) => code.toLowerCase());
  const problems = (Object.keys(PROBLEMS) as ProblemCode[]).map((code) => [
    String(PROBLEMS[code].status),
    link(code),
    PROBLEMS[code].title,
  ]);
  return {
    problems: table(['status', 'code', 'title'], problems),
    criteria: items(criteria),
    items: items(ITEM_CODES),
  };
}
