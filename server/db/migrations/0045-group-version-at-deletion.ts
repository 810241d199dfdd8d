import { sql, type Kysely } from 'kysely';

import type { Migration } from '../migration.ts';

/** A group that loses a customer who is deleted is changed: a form that still has the customer is out of date. */
export const groupVersionAtDeletion: Migration = { up, runsBeside: '0005-staff' };

async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE FUNCTION count_group_versions() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      UPDATE customer_group SET group_name = group_name
      FROM customer_group_member member
      WHERE member.company_id = OLD.company_id AND member.customer_id = OLD.id
        AND customer_group.company_id = OLD.company_id AND customer_group.id = member.group_id;
      RETURN OLD;
    END $$`.execute(db);
  await sql`
    CREATE TRIGGER count_group_versions BEFORE DELETE ON customer
    FOR EACH ROW EXECUTE FUNCTION count_group_versions()`.execute(db);
}
