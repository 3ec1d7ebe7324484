import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { z } from 'zod';

const SOURCES = new URL('../sources/', import.meta.url);

const list = (separator: string | RegExp) =>
  z.string().transform((cell) =>
    cell
      .split(separator)
      .map(normalizeSpace)
      .filter((part) => part !== ''),
  );
const cell = z.string().transform(normalizeSpace);
const filled = cell.pipe(z.string().min(1));
const integer = z.string().regex(/^\d+$/).transform(Number);
const flag = z.enum(['true', 'false']).transform((word) => word === 'true');

const pool = z.object({
  ticker: z.string(),
  name: z.string(),
  source: z.string(),
  note: z.string(),
  eligibility: z.object({ registries: z.array(z.string()).optional(), categories: z.array(z.string()).optional() }),
  tokens: z.array(z.object({ chain: z.string(), address: z.string() })).min(1),
});

const credit = z.object({
  key: filled,
  project_id: filled,
  vintage: integer,
  region: cell,
  token_address: filled,
});

const project = z.object({
  project_id: filled,
  registry: filled,
  name: cell,
  country: cell,
  categories: list(';'),
  methodologies: list(/[;,]/),
  vintages: list(';').pipe(z.array(integer)),
  ex_ante: flag,
  berkeley_type: cell,
});

const proposal = z.object({
  id: filled,
  applicant: filled,
  location: cell,
  description: filled,
  tags: list(','),
  volume_tco2: z.coerce.number().positive(),
  price_usd_per_tco2: cell,
  rating: z.coerce.number().int().min(1).max(5),
  source_date: z.iso.date(),
});

export type PoolRow = z.output<typeof pool>;
export type CreditRow = z.output<typeof credit>;
export type ProjectRow = z.output<typeof project>;
export type ProposalRow = z.output<typeof proposal>;

/** Returns every row of the sources, as `infra/data/README.md` describes them. Throws if a row is not as expected. */
export function readSources() {
  return {
    pools: z.array(pool).parse(JSON.parse(text('pools.json'))),
    credits: z.array(credit).parse(table('tokenised-credits.csv')),
    projects: z.array(project).parse(table('tokenised-projects.csv')),
    proposals: z.array(proposal).parse(table('cdr-proposals.csv')),
  };
}

function table(file: string): unknown {
  return parse(text(file), { columns: true, bom: true });
}

function text(file: string): string {
  return readFileSync(new URL(file, SOURCES), 'utf8');
}

/** Some cells end with a space or contain a zero-width one, which would prevent a phrase from being found. */
function normalizeSpace(text: string): string {
  return text
    .replace(/\u200b/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}
