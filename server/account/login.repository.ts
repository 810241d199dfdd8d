import { sql } from 'kysely';

import type { Db, Trx } from '../platform/db/database.ts';
import type { Row } from '../platform/db/tables.ts';
import { fromNow } from './session.repository.ts';

/**
 * Whether a code or link may still be used. One that expires later than its lifetime allows was made while the clock
 * was ahead, and is refused.
 */
function isAlive(lifetime: number) {
  return sql<boolean>`expires_at > now() AND expires_at <= ${fromNow(lifetime)}`;
}

export async function insertChallenge(
  db: Db,
  challenge: { email: string; codeHash: Buffer; tokenHash: Buffer; lifetime: number },
): Promise<void> {
  const { lifetime, ...row } = challenge;
  await db
    .insertInto('loginChallenge')
    .values({ ...row, expiresAt: fromNow(lifetime) })
    .execute();
}

/** The account of a used login mail, and whether it is the first use: a mail holds a code and a link. */
export interface SpentChallenge {
  readonly email: string;
  readonly isFirstUse: boolean;
}

/** Uses up the link with this hash; null when there is no usable one. */
export async function spendToken(
  trx: Trx,
  tokenHash: Buffer,
  lifetime: number,
): Promise<SpentChallenge | null> {
  const row = await trx
    .updateTable('loginChallenge')
    .set({ tokenUsedAt: sql`now()` })
    .where('tokenHash', '=', tokenHash)
    .where('tokenUsedAt', 'is', null)
    .where(isAlive(lifetime))
    .returning(['email', 'codeUsedAt'])
    .executeTakeFirst();
  return row ? { email: row.email, isFirstUse: row.codeUsedAt === null } : null;
}

/** Locks the codes of an address that may still be tried, so that two concurrent tries count as two. */
export async function lockOpenCodes(
  trx: Trx,
  email: string,
  { attempts, lifetime }: { attempts: number; lifetime: number },
): Promise<Row<'loginChallenge', 'id' | 'codeHash' | 'tokenUsedAt'>[]> {
  return trx
    .selectFrom('loginChallenge')
    .select(['id', 'codeHash', 'tokenUsedAt'])
    .where('email', '=', email)
    .where('codeUsedAt', 'is', null)
    .where('wrongCodes', '<', attempts)
    .where(isAlive(lifetime))
    .orderBy('id')
    .forUpdate()
    .execute();
}

export async function spendCode(trx: Trx, id: number): Promise<void> {
  await trx
    .updateTable('loginChallenge')
    .set({ codeUsedAt: sql`now()` })
    .where('id', '=', id)
    .execute();
}

export async function countWrongCode(trx: Trx, ids: number[]): Promise<void> {
  if (ids.length === 0) return;
  await trx
    .updateTable('loginChallenge')
    .set((row) => ({ wrongCodes: row('wrongCodes', '+', 1) }))
    .where('id', 'in', ids)
    .execute();
}
