import { sql, type Kysely } from 'kysely';

import type { Migration } from '../migration.ts';

/**
 * Forms name customers by their numbers. So what names a customer is another version once the customer has another
 * number, since the old one may be another's by then, or was deleted: a form that was read before is out of date.
 */
export const renumberedCustomer: Migration = { up, runsBeside: '0045-group-version-at-deletion' };

async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE FUNCTION count_versions_of_customer() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      UPDATE customer_group SET group_name = group_name
      FROM customer_group_member member
      WHERE member.company_id = OLD.company_id AND member.customer_id = OLD.id
        AND customer_group.company_id = OLD.company_id AND customer_group.id = member.group_id;
      UPDATE assignment SET name = name
      FROM assignment_customer named
      WHERE named.company_id = OLD.company_id AND named.customer_id = OLD.id
        AND assignment.company_id = OLD.company_id AND assignment.id = named.assignment_id;
      -- Whoever has drafts is not deleted.
      IF TG_OP = 'UPDATE' THEN
        UPDATE invoice SET message = message
        WHERE company_id = OLD.company_id AND customer_id = OLD.id AND status = 'DRAFT';
        RETURN NEW;
      END IF;
      RETURN OLD;
    END $$`.execute(db);
  await sql`DROP TRIGGER count_group_versions ON customer`.execute(db);
  await sql`DROP FUNCTION count_group_versions`.execute(db);
  await sql`
    CREATE TRIGGER count_versions_at_deletion BEFORE DELETE ON customer
    FOR EACH ROW EXECUTE FUNCTION count_versions_of_customer()`.execute(db);
  await sql`
    CREATE TRIGGER count_versions_at_renumbering AFTER UPDATE OF customer_number ON customer
    FOR EACH ROW WHEN (OLD.customer_number <> NEW.customer_number)
    EXECUTE FUNCTION count_versions_of_customer()`.execute(db);
}
