import type { Db, Trx } from '../platform/db/database.ts';
import type { Row } from '../platform/db/tables.ts';
import type { RevisionKey } from './quote.repository.ts';

const ANSWER = ['answer', 'answeredHow', 'answeredAt', 'answeredBy', 'answerNote'] as const;

const CONTENT = [
  'priceKind',
  'validUntil',
  'title',
  'message',
  'terms',
  'confirmByCode',
  'netAmount',
  'vatAmount',
  'grossAmount',
] as const;

/** A revision that was sent, with the answer that it has. */
export interface SentRow extends Row<
  'quoteRevision',
  (typeof CONTENT)[number] | (typeof ANSWER)[number]
> {
  /** The quote's. */
  readonly uuid: string;
  readonly quoteNumber: number;
  readonly customerName: string;
  readonly isPrivate: boolean;
  readonly sentAt: Date;
}

/** A revision that was sent. */
export async function findSent(db: Db, { companyId, id, revision }: RevisionKey): Promise<SentRow> {
  const row = await db
    .selectFrom('quote')
    .innerJoin('quoteRevision as sent', (join) =>
      join.onRef('sent.companyId', '=', 'quote.companyId').onRef('sent.quoteId', '=', 'quote.id'),
    )
    .select(['quote.uuid', 'quote.quoteNumber', 'sent.buyer', 'sent.isPrivate', 'sent.sentAt'])
    .select(CONTENT.map((column) => `sent.${column}` as const))
    .select(ANSWER.map((column) => `sent.${column}` as const))
    .where('quote.companyId', '=', companyId)
    .where('quote.id', '=', id)
    .where('sent.revision', '=', revision)
    .executeTakeFirstOrThrow();
  const { buyer, isPrivate, sentAt, quoteNumber, ...rest } = row;
  if (buyer === null || isPrivate === null || sentAt === null || quoteNumber === null) {
    throw new Error(`Revision ${revision} of quote ${id} was never sent`);
  }
  return { ...rest, isPrivate, sentAt, quoteNumber, customerName: buyer.name };
}

/** The addresses that a quote was mailed to last; none when it never was. */
export async function findSentAddresses(
  db: Db,
  { companyId, id }: Pick<RevisionKey, 'companyId' | 'id'>,
): Promise<string[]> {
  const row = await db
    .selectFrom('quoteDocument as issued')
    .innerJoin('quoteDelivery as mailed', (join) =>
      join
        .onRef('mailed.companyId', '=', 'issued.companyId')
        .onRef('mailed.documentId', '=', 'issued.id'),
    )
    .select('mailed.recipients')
    .where('issued.companyId', '=', companyId)
    .where('issued.quoteId', '=', id)
    .where('issued.kind', '=', 'QUOTE')
    .orderBy('mailed.id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return (row?.recipients ?? []).map(({ address }) => address);
}

/** The answer that holds. */
export type NewAnswer = Row<'quoteRevision', (typeof ANSWER)[number]>;

/** Saves the answer to a revision. The caller holds the quote. */
export async function saveAnswer(
  trx: Trx,
  { companyId, id, revision }: RevisionKey,
  answer: NewAnswer,
): Promise<void> {
  await trx
    .updateTable('quoteRevision')
    .set(answer)
    .where('companyId', '=', companyId)
    .where('quoteId', '=', id)
    .where('revision', '=', revision)
    .execute();
}
