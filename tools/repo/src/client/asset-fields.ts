import { ASSET_FIELDS, type AssetField, type AssetType, RESULT_FIELDS, SORTABLE } from '@carbon/contracts';

const HEAD = '// Made by `npm run generate` from libs/contracts/src/asset.ts.';
const FIELDS: readonly (readonly [string, AssetField])[] = Object.entries(ASSET_FIELDS);

/** The client's list of fields: what each may be asked in criteria, and which are found and ordered by. */
export function assetFields(): string {
  return [
    HEAD,
    '',
    ...kindsOf('POOL', 'pools', 'POOL_FIELDS'),
    ...kindsOf('PROJECT', 'projects', 'PROJECT_FIELDS'),
    '/** The fields of a found asset unless a search asks for others. */',
    `export type ResultField = ${RESULT_FIELDS.map((name) => `'${name}'`).join(' | ')};`,
    '',
    '/** What assets can be ordered by, where they have it. */',
    `export type SortableField = ${SORTABLE.map((name) => `'${name}'`).join(' | ')};`,
    '',
  ].join('\n');
}

function kindsOf(type: AssetType, plural: string, constant: string): string[] {
  const fields = FIELDS.filter(([, { on }]) => on.includes(type));
  return [
    `/** The fields of ${plural}, and how criteria treat each. \`words\` is text that is found by its words only. */`,
    `export const ${constant} = {`,
    ...fields.map(([name, field]) => `  ${name}: '${kindOf(field)}',`),
    '} as const;',
    '',
  ];
}

function kindOf({ type, exact }: AssetField): string {
  return type === 'text' && !exact ? 'words' : type;
}
