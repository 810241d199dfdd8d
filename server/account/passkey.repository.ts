import { sql } from 'kysely';

import type { Db, Trx } from '../platform/db/database.ts';
import type { Row } from '../platform/db/tables.ts';
import type { NewCredential } from './webauthn.ts';

/** The ceremony of a challenge, and the account that it was made for. */
export type PasskeyChallenge = Row<'passkeyChallenge', 'accountId' | 'purpose'>;

/** Minutes for which a challenge works. */
export const CHALLENGE_MINUTES = 5;
const LIFETIME = sql`make_interval(mins => ${sql.lit(CHALLENGE_MINUTES)})`;

export async function insertChallenge(
  db: Db,
  challengeHash: Buffer,
  { accountId, purpose }: PasskeyChallenge,
): Promise<void> {
  await db
    .insertInto('passkeyChallenge')
    .values({ challengeHash, accountId, purpose, expiresAt: sql<Date>`now() + ${LIFETIME}` })
    .execute();
}

/**
 * Uses up a challenge, whatever it was made for; null when it does not work. One that ends later than its lifetime allows
 * was made while the clock was ahead.
 */
export async function spendChallenge(
  db: Db,
  challengeHash: Buffer,
): Promise<PasskeyChallenge | null> {
  const row = await db
    .deleteFrom('passkeyChallenge')
    .where('challengeHash', '=', challengeHash)
    .returning([
      'accountId',
      'purpose',
      sql<boolean>`expires_at > now() AND expires_at <= now() + ${LIFETIME}`.as('isAlive'),
    ])
    .executeTakeFirst();
  return row?.isAlive ? { accountId: row.accountId, purpose: row.purpose } : null;
}

export async function deleteExpiredChallenges(db: Db): Promise<void> {
  await db
    .deleteFrom('passkeyChallenge')
    .where(sql<boolean>`expires_at < now()`)
    .execute();
}

/** The random id by which authenticators know an account. */
export async function findUserHandle(db: Db, accountId: number): Promise<string> {
  const { userHandle } = await db
    .selectFrom('account')
    .select('userHandle')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  return userHandle;
}

/** A passkey with what is shown of it. */
export type PasskeyRow = Row<
  'passkey',
  'createdAt' | 'credentialId' | 'isSynced' | 'lastUsedAt' | 'name' | 'uuid'
>;

const SHOWN = ['uuid', 'name', 'credentialId', 'isSynced', 'createdAt', 'lastUsedAt'] as const;

/** The passkeys of an account, oldest first. */
export async function findPasskeys(db: Db, accountId: number): Promise<PasskeyRow[]> {
  return db
    .selectFrom('passkey')
    .select(SHOWN)
    .where('accountId', '=', accountId)
    .orderBy('id')
    .execute();
}

/** @throws a unique violation for a credential that is known already */
export async function insertPasskey(
  trx: Trx,
  accountId: number,
  name: string,
  { counter, credentialId, isSynced, publicKey }: NewCredential,
): Promise<PasskeyRow> {
  return trx
    .insertInto('passkey')
    .values({ accountId, name, credentialId, publicKey, counter, isSynced })
    .returning(SHOWN)
    .executeTakeFirstOrThrow();
}

/** Gives a passkey another name; null when the account has none with this uuid. */
export async function renamePasskey(
  db: Db,
  accountId: number,
  uuid: string,
  name: string,
): Promise<PasskeyRow | null> {
  const row = await db
    .updateTable('passkey')
    .set({ name })
    .where('accountId', '=', accountId)
    .where('uuid', '=', uuid)
    .returning(SHOWN)
    .executeTakeFirst();
  return row ?? null;
}

/** Removes a passkey. @returns its name; null when the account has none with this uuid */
export async function deletePasskey(
  trx: Trx,
  accountId: number,
  uuid: string,
): Promise<string | null> {
  const row = await trx
    .deleteFrom('passkey')
    .where('accountId', '=', accountId)
    .where('uuid', '=', uuid)
    .returning('name')
    .executeTakeFirst();
  return row?.name ?? null;
}

/** A passkey with its key and the account that it is for. */
export interface KnownPasskey extends Row<'passkey', 'accountId' | 'id' | 'name' | 'publicKey'> {
  readonly email: string;
  readonly userHandle: string;
}

/** The passkey with this credential; null for an unknown one. */
export async function findByCredential(db: Db, credentialId: Buffer): Promise<KnownPasskey | null> {
  const row = await db
    .selectFrom('passkey')
    .innerJoin('account', 'account.id', 'passkey.accountId')
    .select(['passkey.id', 'passkey.accountId', 'passkey.name', 'passkey.publicKey'])
    .select(['account.email', 'account.userHandle'])
    .where('credentialId', '=', credentialId)
    .executeTakeFirst();
  return row ?? null;
}

/** Notes a use of a passkey; false when its counter is not greater than the last one, while either is not 0 (SEC-14). */
export async function noteUse(
  trx: Trx,
  { accountId, id }: Pick<KnownPasskey, 'accountId' | 'id'>,
  { counter, isSynced }: Pick<NewCredential, 'counter' | 'isSynced'>,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('passkey')
    .set({ counter, isSynced, lastUsedAt: sql<Date>`now()` })
    .where('accountId', '=', accountId)
    .where('id', '=', id)
    .where(sql<boolean>`(counter < ${counter} OR (counter = 0 AND ${counter} = 0))`)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
