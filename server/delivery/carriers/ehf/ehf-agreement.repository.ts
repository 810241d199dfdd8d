import { sql, type Selectable } from 'kysely';

import type { Db, Trx } from '../../../platform/db/database.ts';
import type { Tables } from '../../../platform/db/tables.ts';

export type AgreementRow = Selectable<Tables['ehfAgreement']>;

export async function findAgreement(db: Db, companyId: number): Promise<AgreementRow | null> {
  const row = await db
    .selectFrom('ehfAgreement')
    .selectAll()
    .where('companyId', '=', companyId)
    .executeTakeFirst();
  return row ?? null;
}

/** The agreements of these companies that hold, by company. */
export async function findActive(
  db: Db,
  companyIds: readonly number[],
): Promise<Map<number, Pick<AgreementRow, 'orgNumber' | 'entity'>>> {
  const rows = await db
    .selectFrom('ehfAgreement')
    .select(['companyId', 'orgNumber', 'entity'])
    .where(sql<boolean>`company_id = ANY(${[...companyIds]}::bigint[])`)
    .where('status', '=', 'ACTIVE')
    .execute();
  return new Map(rows.map(({ companyId, ...agreement }) => [companyId, agreement]));
}

/** Asks, or asks anew after it was revoked; one that is asked for or holds already stays. */
export async function request(trx: Trx, companyId: number, orgNumber: string): Promise<void> {
  await trx
    .insertInto('ehfAgreement')
    .values({ companyId, status: 'REQUESTED', orgNumber })
    .onConflict((conflict) =>
      conflict
        .column('companyId')
        .doUpdateSet({
          status: 'REQUESTED',
          orgNumber,
          entity: null,
          requestedAt: sql`now()`,
          approvedAt: null,
          revokedAt: null,
        })
        .where('ehfAgreement.status', '=', 'REVOKED'),
    )
    .execute();
}

/** The number that it is for; null when there is nothing that waits for it, or that holds already. */
export async function approve(
  db: Db,
  companyId: number,
  entity: string | null,
): Promise<string | null> {
  const row = await db
    .updateTable('ehfAgreement')
    .set({
      status: 'ACTIVE',
      approvedAt: sql`COALESCE(approved_at, now())`,
      ...(entity !== null && { entity }),
    })
    .where('companyId', '=', companyId)
    .where('status', 'in', ['REQUESTED', 'ACTIVE'])
    .returning('orgNumber')
    .executeTakeFirst();
  return row?.orgNumber ?? null;
}

/** The number that it was for; null when there is nothing to revoke. */
export async function revoke(db: Db, companyId: number): Promise<string | null> {
  const row = await db
    .updateTable('ehfAgreement')
    .set({ status: 'REVOKED', revokedAt: sql`now()` })
    .where('companyId', '=', companyId)
    .where('status', '<>', 'REVOKED')
    .returning('orgNumber')
    .executeTakeFirst();
  return row?.orgNumber ?? null;
}

/** Every agreement, those that wait for an answer first, the oldest first. */
export async function listAgreements(db: Db): Promise<AgreementRow[]> {
  return db
    .selectFrom('ehfAgreement')
    .selectAll()
    .orderBy(sql`status <> 'REQUESTED'`)
    .orderBy('requestedAt')
    .orderBy('companyId')
    .execute();
}
