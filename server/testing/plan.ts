import { CompiledQuery, type RootOperationNode } from 'kysely';

import type { Db } from '../platform/db/database.ts';

/** Planned for these values, or once for all values, as PostgreSQL may do with prepared statements. */
export type PlanMode = 'force_custom_plan' | 'force_generic_plan';

/** PostgreSQL's plan of the one statement that `send` sends to the database that it gets. */
export async function planOf(
  db: Db,
  send: (db: Db) => Promise<unknown>,
  planMode: PlanMode = 'force_custom_plan',
): Promise<string> {
  const nodes: RootOperationNode[] = [];
  const watched = db.withPlugin({
    transformQuery: ({ node }) => {
      nodes.push(node);
      return node;
    },
    transformResult: async ({ result }) => Promise.resolve(result),
  });
  await send(watched);
  const [node] = nodes;
  if (!node) throw new Error('No statement was sent');
  const compiled = db.getExecutor().compileQuery(node, { queryId: 'explained' });
  const rows = await explain(db, compiled, { planMode });
  return rows.flatMap((row) => Object.values(row)).join('\n');
}

/** A compiled statement with its values. */
export type Statement = Pick<CompiledQuery, 'sql' | 'parameters'>;

interface RunNode {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly Plans?: readonly RunNode[];
  readonly [removed: `Rows Removed by ${string}`]: number;
}

/** Runs a statement and counts the rows that it reads or compares, by the worse of both plans. */
export async function touchedBy(db: Db, statement: Statement): Promise<number> {
  const counts = [];
  for (const planMode of ['force_custom_plan', 'force_generic_plan'] as const) {
    const [row = {}] = await explain(db, statement, {
      planMode,
      options: '(ANALYZE, TIMING OFF, FORMAT JSON)',
    });
    const [plans] = Object.values(row) as unknown as [readonly [{ readonly Plan: RunNode }]];
    counts.push(touched(plans[0].Plan));
  }
  return Math.max(...counts);
}

/** The rows of the tables, and those that filters and joins threw away. */
function touched(node: RunNode): number {
  const removed = Object.entries(node).flatMap(([name, value]) =>
    name.startsWith('Rows Removed by') ? [Number(value)] : [],
  );
  const read = node['Relation Name'] === undefined ? 0 : node['Actual Rows'];
  const own = removed.reduce((sum, rows) => sum + rows, read) * node['Actual Loops'];
  return (node.Plans ?? []).reduce((sum, child) => sum + touched(child), own);
}

async function explain(
  db: Db,
  { sql: text, parameters }: Statement,
  { planMode, options = '' }: { readonly planMode: PlanMode; readonly options?: string },
): Promise<Record<string, string>[]> {
  const values = parameters.map(literalOf).join(', ');
  return db.transaction().execute(async (trx) => {
    const run = async (statement: string) =>
      trx.executeQuery<Record<string, string>>(CompiledQuery.raw(statement));
    await run(`SET LOCAL plan_cache_mode = ${planMode}`);
    await run(`PREPARE explained AS ${text}`);
    const call = values === '' ? '' : `(${values})`;
    const { rows } = await run(`EXPLAIN ${options} EXECUTE explained ${call}`);
    await run('DEALLOCATE explained');
    return rows;
  });
}

/** As PostgreSQL reads a value of a prepared statement. */
function literalOf(value: unknown): string {
  if (value === null) return 'NULL';
  const text = Array.isArray(value) ? `{${value.join(',')}}` : `${value as string | number}`;
  return `'${text.replaceAll("'", "''")}'`;
}
