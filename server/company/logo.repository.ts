import { sql } from 'kysely';

import type { Db, Trx } from '../platform/db/database.ts';

/** Makes a picture the logo; the caller holds the company. The one before is forgotten, if no document has it. */
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

/** Locks the logo that new documents get, so that it is there until the transaction ends. */
export async function lockCurrentLogo(trx: Db, companyId: number): Promise<Uint8Array | null> {
  const row = await trx
    .selectFrom('companyLogo')
    .select('sha256')
    .where('companyId', '=', companyId)
    .where('isCurrent', '=', true)
    .forKeyShare()
    .executeTakeFirst();
  return row?.sha256 ?? null;
}

/** A logo's bytes. */
export async function findLogo(
  db: Db,
  companyId: number,
  sha256: Uint8Array,
): Promise<Uint8Array | null> {
  const row = await db
    .selectFrom('companyLogo')
    .select('content')
    .where('companyId', '=', companyId)
    .where('sha256', '=', sha256)
    .executeTakeFirst();
  return row?.content ?? null;
}

/** A company's logos whose bytes match their SHA-256, in hex. */
export async function findSoundLogos(db: Db, companyId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('companyLogo')
    .select(sql<string>`encode(sha256, 'hex')`.as('hex'))
    .where('companyId', '=', companyId)
    .where(sql<boolean>`sha256 = sha256(content)`)
    .execute();
  return rows.map(({ hex }) => hex);
}
