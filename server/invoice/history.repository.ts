import type {
  HistoryAuthor,
  HistoryDetails,
  HistoryEvent,
  HistoryKind,
} from '../../domain/history/history.schema.ts';
import type { Db, Trx } from '../platform/db/database.ts';
import { insertAll } from '../platform/db/frequent-statements.ts';
import type { Row } from '../platform/db/tables.ts';
import type { Actor } from '../context.ts';

/** An event to add to the history of an invoice. */
export interface NewEvent {
  readonly companyId: number;
  readonly invoiceId: number;
  readonly kind: HistoryKind;
  readonly details?: HistoryDetails;
}

type EventRow = Row<'historyEvent'>;

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
export async function findHistory(
  db: Db,
  companyId: number,
  invoiceId: number,
): Promise<HistoryEvent[]> {
  const rows = await db
    .selectFrom('historyEvent')
    .selectAll()
    .where('companyId', '=', companyId)
    .where('invoiceId', '=', invoiceId)
    .orderBy('id', 'desc')
    .execute();
  return rows.map(toEvent);
}

const OURSELVES = 'Faktur';

/** The author of an event that a job causes without a request. */
export const SYSTEM: HistoryAuthor = { type: 'SYSTEM', name: OURSELVES };

/** The author of a caller's changes to the own company's invoices. */
export function authorOf({ email, tokenName }: Pick<Actor, 'email' | 'tokenName'>): HistoryAuthor {
  return tokenName === null ? { type: 'ACCOUNT', name: email } : { type: 'TOKEN', name: tokenName };
}

/** The author of staff's changes; `email` is null for an operator's command, which has no account. */
export function staffAuthor(email: string | null): HistoryAuthor {
  return { type: 'STAFF', name: email ?? OURSELVES };
}

function toEvent({ at, kind, byType, byName, details }: EventRow): HistoryEvent {
  return { at: at.toISOString(), kind, by: { type: byType, name: byName }, details };
}
