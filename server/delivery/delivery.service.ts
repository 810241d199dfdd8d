import type { Db } from '../db/database.ts';
import * as repository from './delivery.repository.ts';

/** Whether an address has bounced or complained: then it gets no more mail that nobody asked for. */
export async function isSuppressed(db: Db, email: string): Promise<boolean> {
  return (await repository.findSuppressed(db, [email])).size > 0;
}
