import type { HistoryAuthor, HistoryEvent } from '../../domain/history/history.schema.ts';
import type { Actor } from '../context.ts';
import type { Db } from '../platform/db/database.ts';
import { findEvents, type EventRow } from './history.repository.ts';

export { recordEvents, type NewEvent } from './history.repository.ts';

const OURSELVES = 'Faktur';

/** What a job does that nobody asked for just then. */
export const SYSTEM: HistoryAuthor = { type: 'SYSTEM', name: OURSELVES };

/** A caller who does something with the company's own invoices. */
export function authorOf({ email, tokenName }: Pick<Actor, 'email' | 'tokenName'>): HistoryAuthor {
  return tokenName === null ? { type: 'ACCOUNT', name: email } : { type: 'TOKEN', name: tokenName };
}

/** Staff who does something with everybody's; an operator's command has no account, so no address. */
export function staffAuthor(email: string | null): HistoryAuthor {
  return { type: 'STAFF', name: email ?? OURSELVES };
}

/** What happened to an invoice, newest first. */
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
