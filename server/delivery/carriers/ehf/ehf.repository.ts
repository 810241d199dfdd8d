import { sql, type Selectable, type Insertable } from 'kysely';

import type { PeppolType } from './participant.ts';
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

type AnswerRow = Selectable<Tables['peppolAnswer']>;
type Answer = Pick<AnswerRow, 'outcome' | 'checkedAt'>;

/** How long an answer is believed (seconds): a new receiver may be registered at any time. */
const YES_LASTS = 24 * 3600;
const NO_LASTS = 3600;

const IS_BELIEVED = sql<boolean>`checked_at > now() - make_interval(secs =>
  CASE outcome WHEN 'REACHABLE' THEN ${YES_LASTS}::integer ELSE ${NO_LASTS}::integer END)`;

interface Asked {
  readonly companyId: number;
  readonly orgNumber: string;
  readonly documentType: PeppolType;
}

/** The network's latest answer, unless it is too old. */
export async function findAnswer(
  db: Db,
  { companyId, orgNumber, documentType }: Asked,
): Promise<Answer | null> {
  const row = await db
    .selectFrom('peppolAnswer')
    .select(['outcome', 'checkedAt'])
    .where('companyId', '=', companyId)
    .where('orgNumber', '=', orgNumber)
    .where('documentType', '=', documentType)
    .where(IS_BELIEVED)
    .executeTakeFirst();
  return row ?? null;
}

/** All that is believed of a company's receivers. */
export async function findAnswers(
  db: Db,
  companyId: number,
  documentType: PeppolType,
): Promise<Pick<AnswerRow, 'orgNumber' | 'outcome'>[]> {
  return db
    .selectFrom('peppolAnswer')
    .select(['orgNumber', 'outcome'])
    .where('companyId', '=', companyId)
    .where('documentType', '=', documentType)
    .where(IS_BELIEVED)
    .execute();
}

/** Keeps an answer, and returns when it came. */
export async function keepAnswer(
  db: Db,
  { companyId, orgNumber, documentType }: Asked,
  outcome: AnswerRow['outcome'],
): Promise<Date> {
  const { checkedAt } = await db
    .insertInto('peppolAnswer')
    .values({ companyId, orgNumber, documentType, outcome })
    .onConflict((conflict) =>
      conflict
        .columns(['companyId', 'orgNumber', 'documentType'])
        .doUpdateSet({ outcome, checkedAt: sql`now()` }),
    )
    .returning('checkedAt')
    .executeTakeFirstOrThrow();
  return checkedAt;
}

/** The names of a document: the access point's and ours. */
export interface Named {
  readonly key: string;
  readonly reference: string | null;
}

/** Keeps an event; again is no news. */
export async function keepEvent(db: Db, event: Insertable<Tables['peppolEvent']>): Promise<void> {
  await db
    .insertInto('peppolEvent')
    .values(event)
    .onConflict((conflict) => conflict.columns(['source', 'eventId']).doNothing())
    .execute();
}

/** The latest event of these names about a document. */
export async function findLatest(
  db: Db,
  { key, reference }: Named,
  names: readonly string[],
): Promise<{ name: string; details: string } | null> {
  const row = await db
    .selectFrom('peppolEvent')
    .select(['name', 'details'])
    .where((event) =>
      event.or([
        event('deliveryKey', '=', key),
        ...(reference === null ? [] : [event('reference', '=', reference)]),
      ]),
    )
    .where('name', 'in', names)
    .orderBy('receivedAt', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

/** The access point's name for a document, as its events gave it. */
export async function findReference(db: Db, key: string): Promise<string | null> {
  const row = await db
    .selectFrom('peppolEvent')
    .select('reference')
    .where('deliveryKey', '=', key)
    .where('reference', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  return row?.reference ?? null;
}

/** Forgets what no delivery will ask for any more. */
export async function forgetOld(db: Db, days: number): Promise<void> {
  await db
    .deleteFrom('peppolEvent')
    .where(sql<boolean>`received_at < now() - make_interval(days => ${days})`)
    .execute();
}

export async function hasEvidence(
  db: Db,
  { companyId, deliveryId }: { companyId: number; deliveryId: number },
): Promise<boolean> {
  const row = await db
    .selectFrom('peppolEvidence')
    .select('deliveryId')
    .where('companyId', '=', companyId)
    .where('deliveryId', '=', deliveryId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Keeps an evidence; false when there was one. */
export async function insertEvidence(
  trx: Trx,
  evidence: Insertable<Tables['peppolEvidence']>,
): Promise<boolean> {
  const result = await trx
    .insertInto('peppolEvidence')
    .values(evidence)
    .onConflict((conflict) => conflict.columns(['companyId', 'deliveryId']).doNothing())
    .executeTakeFirst();
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** How many documents were transmitted otherwise than we made them. */
export async function countDifferent(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('peppolEvidence')
    .select((evidence) => evidence.fn.countAll<number>().as('count'))
    .where(sql<boolean>`differences <> '{}'`)
    .executeTakeFirstOrThrow();
  return count;
}
