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
  const { sql: text, parameters } = db.getExecutor().compileQuery(node, { queryId: 'explained' });
  const values = parameters.map((value) => `'${String(value).replaceAll("'", "''")}'`).join(', ');
  return db.transaction().execute(async (trx) => {
    const run = async (statement: string) =>
      trx.executeQuery<Record<string, string>>(CompiledQuery.raw(statement));
    await run(`SET LOCAL plan_cache_mode = ${planMode}`);
    await run(`PREPARE explained AS ${text}`);
    const { rows } = await run(`EXPLAIN EXECUTE explained (${values})`);
    await run('DEALLOCATE explained');
    return rows.flatMap((row) => Object.values(row)).join('\n');
  });
}
