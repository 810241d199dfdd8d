import { sql } from 'kysely';

import type { MailRecipient } from '../../../domain/delivery/mail-recipients.ts';
import type { Db } from './database.ts';

/** A mail's row. */
interface MailKey {
  readonly companyId: number;
  readonly id: number;
}

/** The mails in a table that has the columns `recipients` (a list of `MailRecipient`) and `sent_at`. */
export function mailsIn(table: 'quote_delivery' | 'statement_delivery') {
  const name = sql.table(table);
  return {
    /** Keeps what became of each address; the time is that of the first that got it. */
    saveRecipients: async (
      db: Db,
      { companyId, id }: MailKey,
      recipients: readonly MailRecipient[],
    ): Promise<void> => {
      const hasArrived = recipients.some(({ status }) => status === 'SENT');
      await sql`
        UPDATE ${name} SET recipients = ${JSON.stringify(recipients)}::jsonb,
          sent_at = CASE WHEN ${hasArrived} THEN COALESCE(sent_at, now()) ELSE sent_at END
        WHERE company_id = ${companyId} AND id = ${id}`.execute(db);
    },
    /** Whether a company has one that is on its way, to any of its addresses. */
    hasQueued: async (db: Db, companyId: number): Promise<boolean> => {
      const { rows } = await sql`
        SELECT FROM ${name}
        WHERE company_id = ${companyId} AND recipients @> '[{"status": "QUEUED"}]' LIMIT 1`.execute(
        db,
      );
      return rows.length > 0;
    },
  };
}
