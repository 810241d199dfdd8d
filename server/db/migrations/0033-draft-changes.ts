import { sql, type Kysely } from 'kysely';

import type { Migration } from '../migration.ts';

/**
 * A draft can be changed, and says how often it was; an invoice tells its customer something. A process of
 * the version before goes on registering drafts that tell nothing: those that do, it would issue without.
 */
export const draftChanges: Migration = { up, runsBeside: '0005-staff' };

/** What is counted of a company's row: what its owner edits. */
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
  'default_message',
  'start_invoice_number',
];

/** The first version of documents that names the message. */
const WITH_MESSAGE = 3;

async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE company ADD COLUMN default_message text`.execute(db);
  await sql`
    CREATE OR REPLACE TRIGGER version
    BEFORE UPDATE OF ${sql.join(PROFILE.map((column) => sql.ref(column)))} ON company
    FOR EACH ROW EXECUTE FUNCTION count_version()`.execute(db);

  await sql`
    ALTER TABLE invoice
      ADD COLUMN message text,
      ADD COLUMN version integer NOT NULL DEFAULT 1`.execute(db);
  // What becomes of an invoice that is registered is no change of it.
  await sql`
    CREATE TRIGGER version BEFORE UPDATE ON invoice FOR EACH ROW
    WHEN (OLD.status = 'DRAFT' AND NEW.status = 'DRAFT')
    EXECUTE FUNCTION count_version()`.execute(db);

  await sql`
    CREATE FUNCTION keep_message() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF EXISTS (
        SELECT FROM added
        JOIN invoice ON invoice.company_id = added.company_id AND invoice.id = added.invoice_id
        WHERE added.kind = 'INVOICE' AND added.version < ${sql.lit(WITH_MESSAGE)}
          AND invoice.message IS NOT NULL)
      THEN
        RAISE EXCEPTION 'the document of an invoice would be without its message'
          USING ERRCODE = 'check_violation';
      END IF;
      RETURN NULL;
    END $$`.execute(db);
  await sql`
    CREATE TRIGGER document_message AFTER INSERT ON document REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION keep_message()`.execute(db);
}
