import { randomUUID } from 'node:crypto';

import pg from 'pg';

/** Creates a database on a PostgreSQL server, empty or as a copy of the template. Returns its URL. */
export async function createServerDatabase(
  serverUrl: string,
  template = 'template1',
): Promise<{ name: string; url: string; drop: () => Promise<void> }> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await askPostgres(serverUrl, `CREATE DATABASE ${name} TEMPLATE ${template}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return {
    name,
    url: url.href,
    drop: async () => {
      await askPostgres(serverUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
}

/** Runs one statement on a new connection. Returns the rows. */
export async function askPostgres(
  url: string,
  statement: string,
): Promise<Record<string, unknown>[]> {
  const { rows } = await withClient(url, async (client) =>
    client.query<Record<string, unknown>>(statement),
  );
  return rows;
}

/** Calls the function with a new connection, and closes the connection afterwards. */
export async function withClient<T>(
  url: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
