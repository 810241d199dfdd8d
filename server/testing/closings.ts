import { sql } from 'kysely';

import type { Db } from '../platform/db/database.ts';
import type { TestApp } from './app.ts';
import type { Answer, TestClient } from './client.ts';
import { PROFILE } from './factories.ts';
import { bytesAt, makeExport } from './exports.ts';
import { until } from './until.ts';

/** Makes the archive of a company and fetches it. */
export async function fetchArchive(testApp: TestApp, client: TestClient): Promise<Buffer> {
  const { uuid } = await makeExport(client, { kind: 'ARCHIVE', from: null, to: null });
  // The export keeps the time of this mail, which would come between two looks at the books.
  await until(
    async () =>
      testApp.context.db
        .selectFrom('export')
        .select('toldAt')
        .where('uuid', '=', uuid)
        .executeTakeFirstOrThrow(),
    ({ toldAt }) => toldAt !== null,
  );
  return bytesAt(testApp, client, `/api/exports/${uuid}/file/`);
}

/** Closes the company of a client, which has the profile of the factories. */
export async function closeCompany(client: TestClient, changes: object = {}): Promise<Answer> {
  return client.post('/api/company/closing/', {
    keep: true,
    confirm: PROFILE.org_number,
    ...changes,
  });
}

/** Lets so many days pass for a closed company, as its own dates say. */
export async function letDaysPass(db: Db, companyId: number, days: number): Promise<void> {
  await sql`UPDATE company SET closed_at = closed_at - make_interval(days => ${days}::integer)
    WHERE id = ${companyId}`.execute(db);
  await sql`UPDATE company_closing SET deletes_on = deletes_on - ${days}::integer
    WHERE company_id = ${companyId}`.execute(db);
}
