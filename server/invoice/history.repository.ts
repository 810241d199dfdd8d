import type {
  HistoryAuthor,
  HistoryDetails,
  HistoryKind,
} from '../../domain/history/history.schema.ts';
import type { Db, Trx } from '../platform/db/database.ts';
import { insertAll } from '../platform/db/insert-all.ts';
import type { Row } from '../platform/db/tables.ts';

/** An event to add to the history of an invoice. */
export interface NewEvent {
  readonly companyId: number;
  readonly invoiceId: number;
  readonly kind: HistoryKind;
  readonly details?: HistoryDetails;
}

export type EventRow = Row<'historyEvent'>;

/**
 * Adds events of one author, in the transaction that causes them. Call it once the invoices are locked:
 * events are shown in the order in which they are added.
 */
export async function recordEvents(
  trx: Trx,
  { type, name }: HistoryAuthor,
  events: readonly NewEvent[],
): Promise<void> {
  for (const [companyId, own] of Map.groupBy(events, (event) => event.companyId)) {
    await insertAll(
      trx,
      { companyId, table: 'historyEvent' },
      own.map(({ invoiceId, kind, details = {} }) => ({
        invoiceId,
        kind,
        byType: type,
        byName: name,
        details,
      })),
      [],
    );
  }
}

/** The history of an invoice, newest event first. */
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
