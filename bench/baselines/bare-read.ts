import fastify from 'fastify';
import pg from 'pg';

/**
 * The minimum of `GET /v1/offsets`: Fastify, and a prepared statement for one offset or for a page. It has no keys, limits,
 * logs, metrics, traces or cursors, and returns only completed offsets. Called as `bare-read DATABASE_URL ACCOUNT PORT`.
 */
const [url = '', account = '', port = ''] = process.argv.slice(2);

interface Row {
  readonly id: string;
  readonly kg_co2e: number;
  readonly grams: string;
  readonly cost_micros: string;
  readonly customer_ref: string;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly completed_at: Date;
  readonly lines: readonly (readonly [asset: string, grams: number, price: number, ticker: string, address: string])[];
}

const MILLION = 1e6;
/** The service's default. */
const pool = new pg.Pool({ connectionString: url, max: 10 });

const COLUMNS = `id, kg_co2e, grams, cost_micros, customer_ref, created_at, updated_at, completed_at,
  (SELECT json_agg(json_build_array(asset_id, ledger.grams, ledger.price_micros, ticker, address)
     ORDER BY ledger.price_micros, asset_id)
   FROM ledger JOIN supply USING (asset_id) WHERE offset_id = offsets.id) AS lines`;
const ONE = { name: 'one', text: `SELECT ${COLUMNS} FROM offsets WHERE account = $1 AND id = $2` };
const PAGE = {
  name: 'page',
  text: `SELECT ${COLUMNS} FROM offsets WHERE account = $1 AND created_at < $2
    ORDER BY created_at DESC, id DESC LIMIT $3`,
};

const viewOf = (row: Row) => ({
  id: row.id,
  status: 'completed',
  kgCO2e: row.kg_co2e,
  credits: Number(row.grams) / MILLION,
  creditsMatched: row.lines.reduce((sum, [, grams]) => sum + grams, 0) / MILLION,
  retirements: row.lines.map(([asset, grams, price, ticker, address]) => ({
    asset,
    ticker,
    address,
    credits: grams / MILLION,
    price: price / MILLION,
    cost: Math.round((grams * price) / MILLION) / MILLION,
  })),
  cost: Number(row.cost_micros) / MILLION,
  currency: 'USD',
  customerRef: row.customer_ref,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
  completedAt: row.completed_at.toISOString(),
});

const app = fastify();
app.get<{ Querystring: { id?: string; limit?: string; createdTo?: string } }>('/v1/offsets', async (request, reply) => {
  const { id, limit, createdTo } = request.query;
  const { rows } = await pool.query<Row>(
    id === undefined ? { ...PAGE, values: [account, createdTo, limit] } : { ...ONE, values: [account, id] },
  );
  const views = rows.map(viewOf);
  reply.type('application/json; charset=utf-8');
  return JSON.stringify(id === undefined ? views : views[0]);
});
await app.listen({ host: '127.0.0.1', port: Number(port) });
process.send?.('listening');
process.on('disconnect', () => process.exit());
