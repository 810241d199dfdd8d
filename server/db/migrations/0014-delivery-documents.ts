import { sql, type Kysely } from 'kysely';

import type { Migration } from '../migration.ts';

/**
 * A delivery brings a document, and its names are those of any carrier. Whoever does not know the
 * document (0013) cannot work beside this anyhow.
 */
export const deliveryDocuments: Migration = { up, runsBeside: null };

async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE delivery RENAME COLUMN message_id TO carrier_key`.execute(db);
  await sql`ALTER TABLE delivery RENAME COLUMN provider_id TO carrier_reference`.execute(db);
  await sql`ALTER TABLE delivery ADD COLUMN document_id bigint`.execute(db);
  // No status changes, and comparing all deliveries with themselves takes a time that grows with its square.
  await sql`ALTER TABLE delivery DISABLE TRIGGER USER`.execute(db);
  await sql`
    UPDATE delivery SET document_id = document.id FROM document
    WHERE document.company_id = delivery.company_id AND document.invoice_id = delivery.invoice_id
      AND document.kind IN ('INVOICE', 'CREDIT_NOTE')`.execute(db);
  await sql`ALTER TABLE delivery ENABLE TRIGGER USER`.execute(db);
  await sql`
    ALTER TABLE delivery
      ALTER COLUMN document_id SET NOT NULL,
      ADD FOREIGN KEY (company_id, document_id) REFERENCES document (company_id, id)`.execute(db);
  // Nobody is sent a document twice: one delivery of it by each carrier is under way or done.
  await sql`
    CREATE UNIQUE INDEX delivery_once_by_carrier
    ON delivery (company_id, document_id, delivery_type) WHERE status <> 'FAILED'`.execute(db);
  await sql`DROP INDEX delivery_once`.execute(db);
}
