import { sql, type Selectable, type Insertable } from 'kysely';

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

/** The active agreements of these companies, by company. */
export async function findActiveAgreements(
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

/** Requests an agreement, also after it was revoked; a requested or active one stays. */
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

/** Approves an agreement and returns its organisation number; null when none is requested or active. */
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

/** Revokes an agreement and returns its organisation number; null when there is none to revoke. */
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

/** All agreements: requested ones first, then by age. */
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

/** How long an answer is valid (seconds): a new receiver may be registered at any time. */
const YES_LASTS = 24 * 3600;
const NO_LASTS = 3600;

const IS_VALID = sql<boolean>`checked_at > now() - make_interval(secs =>
  CASE outcome WHEN 'REACHABLE' THEN ${YES_LASTS}::integer ELSE ${NO_LASTS}::integer END)`;

type NetworkName = AnswerRow['network'];

/** An answer of a network, or that it gave none. */
export interface KeptAnswer extends Pick<
  AnswerRow,
  'orgNumber' | 'documentType' | 'outcome' | 'publisher'
> {
  /** When it was asked. */
  readonly askedAt: Date;
}

/** The answers of a network about a company's receivers that are not too old; of one organisation when it is named. */
export async function findAnswers(
  db: Db,
  companyId: number,
  network: NetworkName,
  orgNumber: string | null = null,
): Promise<KeptAnswer[]> {
  const rows = await db
    .selectFrom('peppolAnswer')
    .select(['orgNumber', 'documentType', 'outcome', 'publisher', 'checkedAt'])
    .where('companyId', '=', companyId)
    .where('network', '=', network)
    .where(IS_VALID)
    .$if(orgNumber !== null, (query) => query.where('orgNumber', '=', orgNumber ?? ''))
    .execute();
  return rows.map(({ checkedAt, ...row }) => Object.assign(row, { askedAt: checkedAt }));
}

/** The newest answers of a network about a company's receivers, however old, and where it never gave one. */
export async function findAllAnswers(
  db: Db,
  companyId: number,
  network: NetworkName,
): Promise<KeptAnswer[]> {
  const rows = await db
    .selectFrom('peppolAnswer')
    .select(['orgNumber', 'documentType', 'outcome', 'publisher'])
    .select(
      sql<Date>`GREATEST(checked_at, CASE outcome WHEN 'UNKNOWN' THEN asked_at END)`.as('askedAt'),
    )
    .where('companyId', '=', companyId)
    .where('network', '=', network)
    .execute();
  return rows;
}

/** The organisations that a network last knew to receive every type that it was asked about. */
export async function findReachable(
  db: Db,
  companyId: number,
  network: NetworkName,
): Promise<string[]> {
  const rows = await db
    .selectFrom('peppolAnswer')
    .select('orgNumber')
    .where('companyId', '=', companyId)
    .where('network', '=', network)
    .groupBy('orgNumber')
    .having(sql<boolean>`bool_and(outcome = 'REACHABLE')`)
    .execute();
  return rows.map(({ orgNumber }) => orgNumber);
}

/** Keeps the answers of a network. That there was none is kept only where there never was one. */
export async function keepAnswers(
  db: Db,
  companyId: number,
  network: NetworkName,
  answers: readonly KeptAnswer[],
): Promise<void> {
  if (answers.length === 0) return;
  const records = answers.map(({ orgNumber, documentType, outcome, publisher, askedAt }) => ({
    org_number: orgNumber,
    document_type: documentType,
    outcome,
    publisher,
    asked_at: askedAt,
    checked_at: outcome === 'UNKNOWN' ? '-infinity' : askedAt,
  }));
  await sql`
    INSERT INTO peppol_answer AS kept
      (company_id, org_number, document_type, outcome, publisher, network, asked_at, checked_at)
    SELECT ${companyId}, org_number, document_type, outcome, publisher, ${network}, asked_at, checked_at
    FROM json_populate_recordset(NULL::peppol_answer, ${JSON.stringify(records)})
    ORDER BY org_number, document_type
    ON CONFLICT (company_id, org_number, document_type) DO UPDATE SET
      outcome = excluded.outcome, publisher = excluded.publisher, network = excluded.network,
      asked_at = excluded.asked_at, checked_at = excluded.checked_at
    WHERE excluded.outcome <> 'UNKNOWN' OR kept.outcome = 'UNKNOWN'
      OR kept.network <> excluded.network`.execute(db);
}

/** A document's names: our key and the access point's reference. */
export interface Named {
  readonly key: string;
  readonly reference: string | null;
}

/** Stores an event, once. */
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

/** The access point's reference for a document, from its events. */
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

/** Deletes events that no delivery asks for any more. */
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

/** Stores an evidence; false when there was one. */
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

/** Counts the documents whose transmitted version differs from ours. */
export async function countDifferent(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('peppolEvidence')
    .select((evidence) => evidence.fn.countAll<number>().as('count'))
    .where(sql<boolean>`differences <> '{}'`)
    .executeTakeFirstOrThrow();
  return count;
}

/** Deletes the events of the access point about deliveries of a company. */
export async function deleteEventsOf(trx: Trx, companyId: number): Promise<void> {
  await sql`
    DELETE FROM peppol_event WHERE delivery_key IN (
      SELECT carrier_key FROM delivery WHERE company_id = ${companyId})`.execute(trx);
}
