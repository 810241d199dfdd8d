import { sql } from 'kysely';

import { hexOf } from '../platform/crypto.ts';
import type { Db, Trx } from '../platform/db/database.ts';

/** Makes a picture the logo; the caller holds the company. A previous logo without documents is deleted by a trigger. */
export async function saveLogo(
  trx: Trx,
  companyId: number,
  { sha256, content }: { readonly sha256: Uint8Array; readonly content: Uint8Array },
): Promise<void> {
  await trx
    .updateTable('companyLogo')
    .set({ isCurrent: false })
    .where('companyId', '=', companyId)
    .where('isCurrent', '=', true)
    .where('sha256', '<>', sha256)
    .execute();
  await trx
    .insertInto('companyLogo')
    .values({ companyId, sha256, content, isCurrent: true })
    .onConflict((conflict) =>
      conflict.columns(['companyId', 'sha256']).doUpdateSet({ isCurrent: true }),
    )
    .execute();
}

/** New documents get no logo from now on; the caller holds the company. */
export async function removeLogo(trx: Trx, companyId: number): Promise<void> {
  await trx
    .updateTable('companyLogo')
    .set({ isCurrent: false })
    .where('companyId', '=', companyId)
    .where('isCurrent', '=', true)
    .execute();
}

/** The logo that new documents get. */
export async function findCurrentLogo(
  db: Db,
  companyId: number,
): Promise<{ readonly sha256: Uint8Array; readonly content: Uint8Array } | undefined> {
  return db
    .selectFrom('companyLogo')
    .select(['sha256', 'content'])
    .where('companyId', '=', companyId)
    .where('isCurrent', '=', true)
    .executeTakeFirst();
}

/** Locks the logo of new documents until the transaction ends. Returns its name: its SHA-256 in hex. */
export async function lockLogo(trx: Db, companyId: number): Promise<string | null> {
  const row = await trx
    .selectFrom('companyLogo')
    .select('sha256')
    .where('companyId', '=', companyId)
    .where('isCurrent', '=', true)
    .forKeyShare()
    .executeTakeFirst();
  return row ? hexOf(row.sha256) : null;
}

/** The bytes of a logo by its name. */
export async function findLogo(
  db: Db,
  companyId: number,
  name: string,
): Promise<Uint8Array | null> {
  const row = await db
    .selectFrom('companyLogo')
    .select('content')
    .where('companyId', '=', companyId)
    .where('sha256', '=', Buffer.from(name, 'hex'))
    .executeTakeFirst();
  return row?.content ?? null;
}

/** The names of a company's logos whose bytes match them. */
export async function findSoundLogos(db: Db, companyId: number): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('companyLogo')
    .select('sha256')
    .where('companyId', '=', companyId)
    .where(sql<boolean>`sha256 = sha256(content)`)
    .execute();
  return new Set(rows.map(({ sha256 }) => hexOf(sha256)));
}
