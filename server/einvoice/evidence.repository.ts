import { sql } from 'kysely';

import { HOME_COUNTRY } from '../../domain/country.ts';
import type { PeppolType } from '../delivery/carriers/ehf/participant.ts';
import type { Db, Trx } from '../platform/db/database.ts';
import { insertAll } from '../platform/db/frequent-statements.ts';
import type { Row } from '../platform/db/tables.ts';

/** The seller's choices; as they are before anybody made one. */
export type EInvoiceSettings = Pick<Row<'einvoiceSettings'>, 'exempt' | 'ehfFirst'>;

export async function findSettings(db: Db, companyId: number): Promise<EInvoiceSettings> {
  const row = await db
    .selectFrom('einvoiceSettings')
    .select(['exempt', 'ehfFirst'])
    .where('companyId', '=', companyId)
    .executeTakeFirst();
  return row ?? { exempt: false, ehfFirst: true };
}

export async function saveSettings(
  db: Db,
  companyId: number,
  settings: EInvoiceSettings,
): Promise<void> {
  await db
    .insertInto('einvoiceSettings')
    .values({ companyId, ...settings })
    .onConflict((conflict) => conflict.column('companyId').doUpdateSet(settings))
    .execute();
}

/** The organisation numbers of Norwegian businesses among the customers of a company's drafts, or of the named ones. */
export async function findBuyersOfDrafts(
  db: Db,
  companyId: number,
  uuids: readonly string[] | null,
): Promise<string[]> {
  const rows = await db
    .selectFrom('invoice')
    .innerJoin('customer', (join) =>
      join
        .onRef('customer.companyId', '=', 'invoice.companyId')
        .onRef('customer.id', '=', 'invoice.customerId'),
    )
    .select('customer.orgNumber')
    .distinct()
    .where('invoice.companyId', '=', companyId)
    .where('invoice.status', '=', sql.lit('DRAFT'))
    .where('customer.country', '=', HOME_COUNTRY)
    .where('customer.orgNumber', 'is not', null)
    .$if(uuids !== null, (query) => query.where(sql<boolean>`invoice.uuid = ANY(${uuids}::uuid[])`))
    .execute();
  return rows.flatMap(({ orgNumber }) => orgNumber ?? []);
}

/** The frozen reason of a registered document; null where none was stated. */
export async function findFrozenReason(
  db: Db,
  { companyId, id }: Row<'invoice', 'companyId' | 'id'>,
): Promise<Row<'invoice', 'einvoiceReason'>['einvoiceReason']> {
  const row = await db
    .selectFrom('invoice')
    .select('einvoiceReason')
    .where('companyId', '=', companyId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.einvoiceReason ?? null;
}

/** An answer of the network about the buyer of a document, or that there was none. */
export type EvidenceRow = Omit<Row<'einvoiceEvidence'>, 'companyId' | 'id' | 'keptAt'>;
export type KeptEvidence = EvidenceRow & Pick<Row<'einvoiceEvidence'>, 'keptAt'>;

/** Keeps evidence about documents of one company. */
export async function insertEvidence(
  trx: Trx,
  companyId: number,
  rows: readonly EvidenceRow[],
): Promise<void> {
  await insertAll(trx, { companyId, table: 'einvoiceEvidence' }, rows, []);
}

/** All evidence about a document, newest first. */
export async function findEvidence(
  db: Db,
  companyId: number,
  invoiceId: number,
): Promise<KeptEvidence[]> {
  return db
    .selectFrom('einvoiceEvidence')
    .select(['invoiceId', 'outcome', 'participant', 'documentType', 'network', 'publisher'])
    .select(['cause', 'askedAt', 'keptAt'])
    .where('companyId', '=', companyId)
    .where('invoiceId', '=', invoiceId)
    .orderBy('id', 'desc')
    .execute();
}

/** A question that the network has not answered, about one organisation, for these documents of a company. */
export interface OpenQuestion {
  readonly companyId: number;
  readonly participant: string;
  readonly documentType: PeppolType;
  readonly invoiceIds: number[];
}

/**
 * The questions to ask again now, 1, 5 and 30 minutes after the attempt before and then each hour, for 24 hours after the
 * registering (EINV-4). Of each company in turn, those that have waited longest.
 */
export async function findDueQuestions(db: Db, most: number): Promise<OpenQuestion[]> {
  const { rows } = await sql<OpenQuestion>`
    SELECT company_id, participant, document_type, array_agg(invoice_id ORDER BY invoice_id) AS invoice_ids
    FROM (
      SELECT company_id, invoice_id, participant, document_type,
        max(asked_at) + CASE count(*) WHEN 1 THEN interval '1 minute' WHEN 2 THEN interval '5 minutes'
          WHEN 3 THEN interval '30 minutes' ELSE interval '1 hour' END AS due_at
      FROM einvoice_evidence unanswered
      WHERE outcome = 'UNKNOWN' AND kept_at > now() - interval '25 hours'
        AND (SELECT registered_at FROM invoice
          WHERE company_id = unanswered.company_id AND id = unanswered.invoice_id) > now() - interval '24 hours'
        AND (SELECT true FROM einvoice_evidence later
          WHERE later.company_id = unanswered.company_id AND later.invoice_id = unanswered.invoice_id
            AND later.outcome <> 'UNKNOWN' LIMIT 1) IS NULL
      GROUP BY company_id, invoice_id, participant, document_type
    ) question
    WHERE due_at <= now()
    GROUP BY company_id, participant, document_type
    ORDER BY row_number() OVER (PARTITION BY company_id ORDER BY min(due_at)), min(due_at)
    LIMIT ${most}`.execute(db);
  return rows;
}
