import { sql } from 'kysely';

import type { Migration } from '../migration.ts';

/** Optional fields of a customer. A process of the previous version neither reads nor writes them. */
export const customerTerms: Migration = {
  up: async (db) => {
    await sql`
      ALTER TABLE customer
        ADD COLUMN country text NOT NULL DEFAULT 'NO',
        ADD COLUMN contact_name text,
        ADD COLUMN invoice_emails text[] NOT NULL DEFAULT '{}',
        ADD COLUMN reference text,
        ADD COLUMN due_days integer,
        ADD COLUMN delivery_type text,
        ADD COLUMN is_private boolean NOT NULL DEFAULT false,
        ADD CONSTRAINT customer_country CHECK (country ~ '^[A-Z]{2}$') NOT VALID,
        ADD CONSTRAINT customer_contact_name CHECK (length(contact_name) BETWEEN 1 AND 255) NOT VALID,
        ADD CONSTRAINT customer_invoice_emails
          CHECK (cardinality(invoice_emails) <= 5 AND array_position(invoice_emails, NULL) IS NULL)
          NOT VALID,
        ADD CONSTRAINT customer_reference CHECK (length(reference) BETWEEN 1 AND 100) NOT VALID,
        ADD CONSTRAINT customer_due_days CHECK (due_days BETWEEN 1 AND 36500) NOT VALID,
        ADD CONSTRAINT customer_delivery_type
          CHECK (delivery_type IN ('NONE', 'EMAIL', 'EHF', 'EFAKTURA')) NOT VALID,
        ADD CONSTRAINT customer_private
          CHECK (NOT is_private OR (org_number IS NULL AND delivery_type IS DISTINCT FROM 'EHF'))
          NOT VALID`.execute(db);
    await sql`
      CREATE OR REPLACE TRIGGER version BEFORE UPDATE OF customer_number, name, email, org_number,
        phone_number, address1, address2, postal_code, city, search_text, country, contact_name,
        invoice_emails, reference, due_days, delivery_type, is_private ON customer
      FOR EACH ROW EXECUTE FUNCTION count_version()`.execute(db);
  },
};

const CONSTRAINTS = [
  'customer_country',
  'customer_contact_name',
  'customer_invoice_emails',
  'customer_reference',
  'customer_due_days',
  'customer_delivery_type',
  'customer_private',
];

export const customerTermsValidated: Migration = {
  online: true,
  up: async (db) => {
    for (const name of CONSTRAINTS) {
      await sql`ALTER TABLE customer VALIDATE CONSTRAINT ${sql.ref(name)}`.execute(db);
    }
  },
};
