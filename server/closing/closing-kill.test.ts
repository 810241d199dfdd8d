import { afterAll, beforeAll, expect, test } from 'vitest';

import { closeCompany } from '../testing/closings.ts';
import { createCustomer, createDraft, register } from '../testing/factories.ts';
import { runScript } from '../testing/process.ts';
import { askPostgres, withClient } from '../testing/server-database.ts';
import { logIn, openStage, releaseJobs, SECRET_KEY, type Stage } from '../testing/stage.ts';
import { until } from '../testing/until.ts';

const INVOICES = 5;

let stage: Stage;
let url: string;

beforeAll(async () => {
  stage = await openStage();
  url = stage.directUrl ?? '';
});
afterAll(async () => stage.close());

const ask = async (statement: string) => (await askPostgres(url, statement)) as unknown as Counts[];
interface Counts {
  readonly documents: string;
  readonly remains: string;
}
const COUNTS = `SELECT (SELECT count(*) FROM document) AS documents, (SELECT count(*) FROM closed_books) AS remains`;

// CLO-9
test('killed in the middle of a deletion, it deletes once, and all of it', async () => {
  const settings = { FEATURES: 'closing', DISPATCH: 'staff' };
  let server = await stage.start(settings);
  const neighbour = await logIn(server, stage.smtp, 'nabo@example.no');
  await register(neighbour, await createDraft(neighbour, await createCustomer(neighbour)));
  const owner = await logIn(server, stage.smtp, 'eier@example.no');
  const customer = await createCustomer(owner);
  for (let i = 0; i < INVOICES; i += 1) await register(owner, await createDraft(owner, customer));
  expect((await closeCompany(owner)).status).toBe(200);

  await withClient(url, async (client) => {
    // Documents are gone in the deletion's transaction when it comes to customers.
    await client.query('BEGIN');
    await client.query(
      `SELECT FROM customer WHERE company_id = (SELECT company_id FROM company_closing) FOR UPDATE`,
    );
    await ask(`UPDATE company SET closed_at = closed_at - interval '31 days' WHERE closed_at IS NOT NULL;
      UPDATE company_closing SET deletes_on = deletes_on - 31,
        kept_until = make_date(extract(year FROM now())::integer - 1, 12, 31);
      INSERT INTO jobs.job (name, data) VALUES ('closing', '{"payload": {}}')`);
    await until(
      async () =>
        ask(
          `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE 'DELETE FROM%customer%'`,
        ),
      (waiting) => waiting.length > 0,
    );
    await server.kill();
    await client.query('ROLLBACK');
  });
  // PostgreSQL ends the transaction once it notices that nobody is there.
  await until(
    async () =>
      ask(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'DELETE FROM%' AND pid <> pg_backend_pid()`,
      ),
    (deleting) => deleting.length === 0,
  );
  expect(await ask(COUNTS)).toEqual([{ documents: String(INVOICES + 1), remains: '0' }]);

  await releaseJobs(stage);
  server = await stage.start(settings);
  await until(
    async () => ask(COUNTS),
    ([counts]) => counts?.remains === '1',
    180_000,
  );
  expect(await ask(COUNTS)).toEqual([{ documents: '1', remains: '1' }]);
  const ledger = await runScript(
    'scripts/operator.ts',
    { DATA_DIR: stage.dataDir, SECRET_KEY, DATABASE_URL: stage.databaseUrl },
    'ledger',
    'check',
  );
  expect(ledger.output).toContain('1 companies with 1 registered documents: all in order');
  const visitor = server.visitor(neighbour.cookieHeader);
  expect((await visitor.get('/api/invoices/')).body.count).toBe(1);
  const gone = server.visitor(owner.cookieHeader);
  expect((await gone.get('/api/users/session/')).body).toMatchObject({ company_state: null });
});
