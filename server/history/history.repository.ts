import { sql, type Selectable } from 'kysely';

import type {
  HistoryAuthor,
  HistoryDetails,
  HistoryKind,
} from '../../domain/history/history.schema.ts';
import type { Db, Trx } from '../db/database.ts';
import type { Tables } from '../db/tables.ts';

/** Something that has just happened to an invoice. */
export interface NewEvent {
  readonly companyId: number;
  readonly invoiceId: number;
  readonly kind: HistoryKind;
  readonly details?: HistoryDetails;
}

export type EventRow = Selectable<Tables['historyEvent']>;

/** Adds events of one author, thousands in one statement. */
export async function insertEvents(
  trx: Trx,
  { type, name }: HistoryAuthor,
  events: readonly NewEvent[],
): Promise<void> {
  const records = events.map(({ companyId, invoiceId, kind, details = {} }) => ({
    company_id: companyId,
    invoice_id: invoiceId,
    kind,
    details,
  }));
  await sql`
    INSERT INTO history_event (company_id, invoice_id, kind, by_type, by_name, details)
    SELECT company_id, invoice_id, kind, ${type}::text, ${name}::text, details
    FROM jsonb_to_recordset(${JSON.stringify(records)}::jsonb) AS given (
      company_id bigint, invoice_id bigint, kind text, details jsonb
    )`.execute(trx);
}

/** What happened to an invoice, newest first. */
export async function findEvents(
  db: Db,
  companyId: number,
  invoiceId: number,
): Promise<EventRow[]> {
  return db
    .selectFrom('historyEvent')
    .selectAll()
    .where('companyId', '=', companyId)
    .where('invoiceId', '=', invoiceId)
    .orderBy('id', 'desc')
    .execute();
}
