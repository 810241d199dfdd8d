import { sql, type Kysely } from 'kysely';

import type { Migration } from '../migration.ts';

/**
 * What people edit says how often it was saved, so that an update can say what it is based on. The
 * database counts, whoever writes: a process of the version before does it too.
 */
export const versions: Migration = { up, runsBeside: '0005-staff' };

/** Beside what belongs to the profile, a company's row holds counters that nobody edits. */
const PROFILE = [
  'company_name',
  'org_number',
  'vat_registered',
  'foretaksregisteret',
  'email',
  'billing_address1',
  'billing_address2',
  'billing_postal_code',
  'billing_city',
  'start_invoice_number',
];

async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE FUNCTION count_version() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.version := OLD.version + 1;
      RETURN NEW;
    END $$`.execute(db);
  for (const name of ['company', 'customer', 'customer_group', 'invoice_template']) {
    const table = sql.table(name);
    const columns = sql.join(PROFILE.map((column) => sql.ref(column)));
    const update = name === 'company' ? sql`UPDATE OF ${columns}` : sql`UPDATE`;
    await sql`ALTER TABLE ${table} ADD COLUMN version integer NOT NULL DEFAULT 1`.execute(db);
    await sql`
      CREATE TRIGGER version BEFORE ${update} ON ${table}
      FOR EACH ROW EXECUTE FUNCTION count_version()`.execute(db);
  }
}
