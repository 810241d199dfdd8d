import { sql, type RawBuilder } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';

import type { InvoiceStatus } from '../../domain/invoice/invoice.status.ts';
import type { Ore } from '../../domain/money.ts';
import type { Buyer } from '../../domain/parties.ts';
import type { MailRecipient } from '../../domain/delivery/mail-recipients.ts';
import { LINE_CONTENT } from '../invoice/invoice.rows.ts';
import { exactQuantity } from '../invoice/invoice.selection.ts';
import type { Db } from '../platform/db/database.ts';
import type { Row } from '../platform/db/tables.ts';
import { AppError } from '../errors.ts';
import {
  QUOTE_COLUMNS,
  REVISION_CONTENT,
  type QuoteLineRow,
  type QuoteRow,
  type RevisionContent,
} from './quote.repository.ts';

/** The answer to the newest sent revision, and when that was sent. */
const OF_SENT = [
  'sentAt',
  'answeredAt',
  'answeredBy',
  'answerNote',
  'answeredHow',
] as const satisfies readonly (keyof Row<'quoteRevision'>)[];

/** A quote as answers show it: its newest revision, with all that belongs to the quote. */
export interface WholeQuote
  extends
    QuoteRow,
    RevisionContent,
    Row<'quoteRevision', 'netAmount' | 'vatAmount' | 'grossAmount' | 'buyer' | 'isPrivate'>,
    Row<'quoteRevision', (typeof OF_SENT)[number]> {
  /** The customer of now; null when it was deleted. */
  readonly customer: {
    readonly customerNumber: number;
    readonly name: string;
    readonly isPrivate: boolean;
  } | null;
  readonly buyer: Buyer | null;
  /** Its link; null before it was sent. */
  readonly linkUuid: string | null;
  readonly linkHash: Uint8Array | null;
  readonly lines: readonly (QuoteLineRow & { readonly taken: Ore })[];
  /** The latest first. */
  readonly deliveries: readonly {
    readonly uuid: string;
    readonly recipients: readonly MailRecipient[];
    readonly sentAt: string | null;
  }[];
  readonly invoices: readonly {
    readonly uuid: string;
    readonly invoiceNumber: number | null;
    readonly status: InvoiceStatus;
    readonly net: Ore;
  }[];
}

const CUSTOMER = sql<WholeQuote['customer']>`(
        SELECT json_build_object('customerNumber', customer_number, 'name', name, 'isPrivate', is_private)
        FROM customer WHERE company_id = quote.company_id AND id = shown.customer_id)`.as(
  'customer',
);

const DELIVERIES = sql<WholeQuote['deliveries']>`COALESCE((
        SELECT json_agg(json_build_object('uuid', sending.uuid, 'recipients', sending.recipients,
          'sentAt', sending.sent_at) ORDER BY sending.id DESC)
        FROM quote_document issued
        JOIN quote_delivery sending ON sending.company_id = issued.company_id
          AND sending.document_id = issued.id
        WHERE issued.company_id = quote.company_id AND issued.quote_id = quote.id), '[]')`.as(
  'deliveries',
);

const INVOICES = sql<WholeQuote['invoices']>`COALESCE((
        SELECT json_agg(json_build_object('uuid', invoice.uuid, 'invoiceNumber', invoice.invoice_number,
          'status', invoice.status, 'net', taken.net) ORDER BY taken.invoice_id)
        FROM (SELECT company_id, invoice_id, sum(net) AS net FROM quote_part
          WHERE company_id = quote.company_id AND quote_id = quote.id
          GROUP BY company_id, invoice_id) taken
        CROSS JOIN LATERAL (SELECT uuid, invoice_number, status FROM invoice
          WHERE company_id = taken.company_id AND id = taken.invoice_id LIMIT 1) invoice), '[]')`.as(
  'invoices',
);

/** A quote with its newest revision. @throws AppError not_found */
export async function requireWholeQuote(
  db: Db,
  companyId: number,
  uuid: string,
): Promise<WholeQuote> {
  const isIt = sql<boolean>`uuid = ${uuid}`;
  const row = await selectWhole(db, companyId, sql`(VALUES (0, 0))`, isIt).executeTakeFirst();
  if (!row) throw new AppError('not_found');
  return row;
}

/** The quotes with these ids, in their order. */
export async function findWholeQuotes(
  db: Db,
  companyId: number,
  ids: readonly number[],
): Promise<WholeQuote[]> {
  const listed = sql`unnest(${[...ids]}::bigint[]) WITH ORDINALITY`;
  return selectWhole(db, companyId, listed, sql<boolean>`quote.id = listed.id`).execute();
}

function selectWhole(
  db: Db,
  companyId: number,
  listed: RawBuilder<unknown>,
  isIt: RawBuilder<boolean>,
) {
  return findByKeys(db, companyId, listed, isIt)
    .leftJoin('quoteLink as link', (join) =>
      join.onRef('link.companyId', '=', 'quote.companyId').onRef('link.quoteId', '=', 'quote.id'),
    )
    .select(['link.uuid as linkUuid', 'link.tokenHash as linkHash'])
    .select(QUOTE_COLUMNS.map((column) => `quote.${column}` as const))
    .select(REVISION_CONTENT.map((column) => `shown.${column}` as const))
    .select(['shown.netAmount', 'shown.vatAmount', 'shown.grossAmount'])
    .select(['shown.buyer', 'shown.isPrivate'])
    .select(OF_SENT.map((column) => `sent.${column}` as const))
    .select([CUSTOMER, DELIVERIES, INVOICES])
    .select((whole) => [
      jsonArrayFrom(
        whole
          .selectFrom('quoteLine as line')
          .select(['line.id', ...LINE_CONTENT.map((column) => `line.${column}` as const)])
          .select(exactQuantity('line'))
          .select(
            sql<Ore>`COALESCE((
              SELECT sum(part.net) FROM quote_part part
              WHERE part.company_id = line.company_id AND part.quote_id = line.quote_id AND part.line_id = line.id
                AND (SELECT status FROM invoice
                  WHERE company_id = part.company_id AND id = part.invoice_id AND kind = 'INVOICE' LIMIT 1)
                  <> 'CANCELLED'), 0)`.as('taken'),
          )
          .whereRef('line.companyId', '=', 'quote.companyId')
          .whereRef('line.quoteId', '=', 'quote.id')
          .whereRef('line.revision', '=', 'quote.revision')
          .orderBy('line.position'),
      ).as('lines'),
    ])
    .orderBy('listed.place');
}

/**
 * Quotes and revisions are looked up by their keys. A plain join leaves that to PostgreSQL, which reads all of a
 * company's while it has no statistics.
 *
 * @param listed rows with an id and a place, for each of which a quote is looked up
 */
function findByKeys(
  db: Db,
  companyId: number,
  listed: RawBuilder<unknown>,
  isIt: RawBuilder<boolean>,
) {
  return db
    .selectFrom(sql<{ place: number }>`${listed}`.as<'listed'>(sql`listed (id, place)`))
    .innerJoinLateral(
      (from) =>
        from
          .selectFrom('quote')
          .select(QUOTE_COLUMNS)
          .where('companyId', '=', companyId)
          .where(isIt)
          .limit(1)
          .as('quote'),
      (join) => join.onTrue(),
    )
    .innerJoinLateral(
      (from) =>
        from
          .selectFrom('quoteRevision as revision')
          .select(REVISION_CONTENT.map((column) => `revision.${column}` as const))
          .select(['netAmount', 'vatAmount', 'grossAmount', 'buyer', 'isPrivate'])
          .whereRef('revision.companyId', '=', 'quote.companyId')
          .whereRef('revision.quoteId', '=', 'quote.id')
          .whereRef('revision.revision', '=', 'quote.revision')
          .limit(1)
          .as('shown'),
      (join) => join.onTrue(),
    )
    .leftJoinLateral(
      (from) =>
        from
          .selectFrom('quoteRevision as revision')
          .select(OF_SENT.map((column) => `revision.${column}` as const))
          .whereRef('revision.companyId', '=', 'quote.companyId')
          .whereRef('revision.quoteId', '=', 'quote.id')
          .whereRef('revision.revision', '=', 'quote.sentRevision')
          .limit(1)
          .as('sent'),
      (join) => join.onTrue(),
    );
}
