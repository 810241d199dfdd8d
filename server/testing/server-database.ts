import { randomUUID } from 'node:crypto';

import pg from 'pg';

/** For each server one kept connection that creates and drops databases: opening one costs as much as dropping one. */
const keepers = new Map<string, pg.Pool>();

const EMPTY = 'template1';

/** Creates a database on a PostgreSQL server, empty or as a copy of the template, whose name begins its own. */
export async function createServerDatabase(
  serverUrl: string,
  template = EMPTY,
): Promise<{ name: string; url: string; drop: () => Promise<void> }> {
  const unique = randomUUID().replaceAll('-', '');
  const name = template === EMPTY ? `test_${unique}` : `${template}_${unique.slice(0, 12)}`;
  // Copied as files, it costs a third of what it costs to write each page to the log too.
  await keeperOf(serverUrl).query(
    `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`,
  );
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return {
    name,
    url: url.href,
    drop: async () => {
      await keeperOf(serverUrl).query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
}

/** Drops a template and its copies, also those that a killed process left. */
export async function dropServerDatabases(serverUrl: string, template: string): Promise<void> {
  const keeper = keeperOf(serverUrl);
  const { rows } = await keeper.query<{ name: string }>(
    'SELECT datname AS name FROM pg_database WHERE starts_with(datname, $1)',
    [template],
  );
  for (const { name } of rows) await keeper.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
}

function keeperOf(serverUrl: string): pg.Pool {
  const known = keepers.get(serverUrl);
  if (known) return known;
  const keeper = new pg.Pool({
    connectionString: serverUrl,
    max: 1,
    idleTimeoutMillis: 0,
    allowExitOnIdle: true,
  });
  // The server may end first.
  keeper.on('error', () => undefined);
  keepers.set(serverUrl, keeper);
  return keeper;
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
