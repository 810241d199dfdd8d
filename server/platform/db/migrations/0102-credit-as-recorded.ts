import { sql } from 'kysely';

import type { Migration } from '../migration.ts';

/**
 * 0102: money on no invoice keeps the customer whose credit it was when it was recorded, as documents keep their buyer
 * (EXP-22): exports name the same number after the customer was renumbered or deleted. A row that takes another back has
 * that one's. Rows of before have none, and are named as their customer is now.
 */
export const creditAsRecorded: Migration = {
  up: async (db) => {
    await sql`ALTER TABLE payment ADD COLUMN buyer jsonb`.execute(db);
    await sql`
      CREATE FUNCTION keep_buyer_of_payment() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF NEW.undoes_id IS NOT NULL THEN
          SELECT buyer INTO NEW.buyer FROM payment
          WHERE company_id = NEW.company_id AND id = NEW.undoes_id;
          RETURN NEW;
        END IF;
        SELECT jsonb_build_object('customerNumber', customer_number, 'name', name, 'orgNumber', org_number,
          'address1', address1, 'address2', address2, 'postalCode', postal_code, 'city', city)
        INTO NEW.buyer FROM customer WHERE company_id = NEW.company_id AND id = NEW.customer_id;
        RETURN NEW;
      END
      $$`.execute(db);
    await sql`
      CREATE TRIGGER payment_buyer BEFORE INSERT ON payment
        FOR EACH ROW WHEN (NEW.invoice_id IS NULL AND NEW.customer_id IS NOT NULL)
        EXECUTE FUNCTION keep_buyer_of_payment()`.execute(db);
  },
};
