import type { HistoryAuthor, HistoryEvent } from '../../domain/history/history.schema.ts';
import type { Actor } from '../context.ts';
import type { Db } from '../platform/db/database.ts';
import { findEvents, type EventRow } from './history.repository.ts';

export { recordEvents, type NewEvent } from './history.repository.ts';

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

/** The history of an invoice, newest event first. */
export async function findHistory(
  db: Db,
  companyId: number,
  invoiceId: number,
): Promise<HistoryEvent[]> {
  return (await findEvents(db, companyId, invoiceId)).map(toEvent);
}

function toEvent({ at, kind, byType, byName, details }: EventRow): HistoryEvent {
  return { at: at.toISOString(), kind, by: { type: byType, name: byName }, details };
}
