import { sql } from 'kysely';

import type { Migration } from '../migration.ts';

/**
 * 0094: a company counts the changes of its members' access. A call that finds another count than at its beginning,
 * once it has the lock of the company, is judged again (MEM-19).
 */
export const accessCounted: Migration = {
  up: async (db) => {
    await sql`
      ALTER TABLE company ADD COLUMN access_changes integer NOT NULL DEFAULT 0`.execute(db);
    await sql`
      CREATE FUNCTION count_access_change() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE company SET access_changes = access_changes + 1 WHERE id = OLD.company_id;
        RETURN NULL;
      END
      $$`.execute(db);
    await sql`
      CREATE TRIGGER member_access_counted AFTER UPDATE OF role, may_register, may_handle_payments, ends_on OR DELETE
        ON member FOR EACH ROW WHEN (OLD.account_id IS NOT NULL) EXECUTE FUNCTION count_access_change()
    `.execute(db);
  },
};
