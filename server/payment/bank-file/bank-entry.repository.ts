import { sql, type RawBuilder } from 'kysely';

import type { EntryOutcome } from '../../../domain/bank-file/bank-file.schema.ts';
import type { Db, Trx } from '../../platform/db/database.ts';
import { insertAll } from '../../platform/db/frequent-statements.ts';
import type { OutcomeSum } from '../../platform/db/columns.ts';
import type { Row } from '../../platform/db/tables.ts';
import { unplaced, type NewPayment } from '../payment.repository.ts';
import type { Match } from './match/match.ts';

/** An entry as read from the file; bytes are hex, as they travel to and from the database. */
export interface EntryRow extends Omit<
  Row<'bankEntry'>,
  | 'id'
  | 'uuid'
  | 'companyId'
  | 'payerAccountHash'
  | 'key'
  | 'fingerprint'
  | 'bookedKey'
  | 'outcome'
  | 'invoiceId'
  | 'placements'
  | 'suggestion'
> {
  readonly payerHash: string | null;
  readonly key: string;
  readonly fingerprint: string;
}

export interface StoredEntry extends EntryRow {
  readonly id: number;
}

export interface JudgedEntry<E extends EntryRow = EntryRow> {
  readonly entry: E;
  readonly match: Match;
}

/** The fields that all payment rows of an entry share. */
export function moneyOf(entry: StoredEntry): Omit<NewPayment, 'invoiceId' | 'amount'> {
  const { id, date, amount, account, kid, text, payer, payerHash, reference } = entry;
  return {
    paidOn: date,
    source: 'BANK',
    // A sum without known parts may consist of reversals.
    kind: amount < 0 ? 'REVERSAL' : 'PAYMENT',
    account,
    kid,
    text,
    payer,
    payerAccountHash: payerHash === null ? null : Buffer.from(payerHash, 'hex'),
    reference,
    entryId: id,
  };
}

/** An entry as the API lists it. */
export type ShownEntry = Row<
  'bankEntry',
  | 'uuid'
  | 'position'
  | 'date'
  | 'amount'
  | 'account'
  | 'kid'
  | 'text'
  | 'payer'
  | 'outcome'
  | 'invoiceId'
  | 'placements'
  | 'suggestion'
>;

/** The entries of a file that a person has to place, as far as their money is still unplaced. */
export async function countToPlace(db: Db, companyId: number, fileId: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(DISTINCT entry.id) FROM payment
    JOIN bank_entry entry ON entry.company_id = ${companyId} AND entry.id = payment.entry_id
    WHERE payment.company_id = ${companyId} AND ${unplaced} AND entry.file_id = ${fileId}
      AND entry.outcome IN ('SETTLED', 'SUGGESTED', 'UNPLACED', 'POSSIBLE_COPY')`.execute(db);
  return rows[0]?.count ?? 0;
}

/**
 * A batch total that another file specifies is not listed (BANK-15). It stays stored, because that file may be
 * undone.
 */
const isShown = sql<boolean>`NOT (kind = 'BATCH' AND outcome = 'KNOWN')`;

/** Adds entries of a file in their order. */
export async function insertEntries(
  trx: Trx,
  companyId: number,
  judged: readonly JudgedEntry[],
): Promise<void> {
  const rows = judged.map(({ entry, match }) => {
    const { payerHash, key, fingerprint, ...rest } = entry;
    return {
      ...rest,
      payerAccountHash: toBytes(payerHash),
      key: toBytes(key),
      fingerprint: toBytes(fingerprint),
      outcome: match.outcome,
      invoiceId: match.invoiceId,
      placements: match.placements.length > 0 ? match.placements : null,
      suggestion: match.suggestion,
      uuid: crypto.randomUUID(),
    };
  });
  await insertAll(trx, { companyId, table: 'bankEntry' }, rows as never, []);
}

/** Rows travel as JSON, which cannot hold bytes. */
function toBytes(hex: string | null): string | null {
  return hex === null ? null : `\\x${hex}`;
}

/** The next entries of a file after a position, in their order. */
export async function findEntriesAfter(
  db: Db,
  companyId: number,
  fileId: number,
  { position, limit }: { readonly position: number; readonly limit: number },
): Promise<StoredEntry[]> {
  return selectEntries(
    db,
    sql`company_id = ${companyId} AND file_id = ${fileId} AND position > ${position}
      ORDER BY position LIMIT ${limit}`,
  );
}

/** Entries with these ids, in the order of the bank's dates. */
export async function findEntries(
  db: Db,
  companyId: number,
  ids: readonly number[],
): Promise<StoredEntry[]> {
  return selectEntries(
    db,
    sql`company_id = ${companyId} AND id = ANY(${[...ids]}::bigint[]) ORDER BY bank_entry.date, bank_entry.key`,
  );
}

async function selectEntries(db: Db, which: RawBuilder<unknown>): Promise<StoredEntry[]> {
  const { rows } = await sql<StoredEntry>`
    SELECT id, file_id, position, format, kind, date::text, amount, bank_entry.account, kid, kids,
      invoice_numbers, text, payer, encode(payer_account_hash, 'hex') AS payer_hash, reference,
      line_reference, line_date::text, line_sum, encode(key, 'hex') AS key,
      encode(fingerprint, 'hex') AS fingerprint, occurrence
    FROM bank_entry WHERE ${which}`.execute(db);
  return rows;
}

/** Stores the outcomes at booking, and marks the entries as booked. */
export async function setBooked(
  trx: Trx,
  companyId: number,
  judged: readonly JudgedEntry<StoredEntry>[],
): Promise<void> {
  const given = judged.map(({ entry, match }) => ({
    id: entry.id,
    outcome: match.outcome,
    paid: match.invoiceId,
    placements: match.placements.length > 0 ? match.placements : null,
    suggestion: match.suggestion,
  }));
  await sql`
    UPDATE bank_entry SET outcome = given.outcome, invoice_id = given.paid,
      placements = given.placements, suggestion = given.suggestion,
      booked_key = CASE WHEN given.outcome <> 'KNOWN' THEN key END
    FROM json_to_recordset(${JSON.stringify(given)})
      AS given (id bigint, outcome text, paid bigint, placements jsonb, suggestion jsonb)
    WHERE bank_entry.company_id = ${companyId} AND bank_entry.id = given.id`.execute(trx);
}

/** The fields needed to take an entry back. */
export type BookedEntry = Pick<StoredEntry, 'id' | 'position' | 'kind'> & {
  readonly isBooked: boolean;
};

/** Entries of a file up to a position, the last ones first. */
export async function findEntriesUpTo(
  db: Db,
  companyId: number,
  fileId: number,
  { position, limit }: { readonly position: number; readonly limit: number },
): Promise<BookedEntry[]> {
  const { rows } = await sql<BookedEntry>`
    SELECT id, position, kind, booked_key IS NOT NULL AS is_booked FROM bank_entry
    WHERE company_id = ${companyId} AND file_id = ${fileId} AND position <= ${position}
    ORDER BY position DESC LIMIT ${limit}`.execute(db);
  return rows;
}

export async function setUnbooked(
  trx: Trx,
  companyId: number,
  ids: readonly number[],
): Promise<void> {
  await sql`
    UPDATE bank_entry SET booked_key = NULL
    WHERE company_id = ${companyId} AND id = ANY(${[...ids]}::bigint[])`.execute(trx);
}

/** How many entries a file has of each outcome, and how many are not shown. */
export async function sumOutcomes(
  db: Db,
  companyId: number,
  fileId: number,
): Promise<OutcomeSum[]> {
  const { rows } = await sql<OutcomeSum>`
    SELECT outcome, count(*) AS count, sum(amount)::bigint AS sum FROM bank_entry
    WHERE company_id = ${companyId} AND file_id = ${fileId} AND ${isShown}
    GROUP BY outcome ORDER BY outcome`.execute(db);
  return rows;
}

/** Listed entries of a file after a position, with an outcome. */
export async function findShown(
  db: Db,
  companyId: number,
  fileId: number,
  part: {
    readonly after?: number;
    readonly outcome?: EntryOutcome | undefined;
    readonly limit: number;
    readonly offset?: number;
  },
): Promise<ShownEntry[]> {
  const { after = 0, outcome, limit, offset = 0 } = part;
  return db
    .selectFrom('bankEntry')
    .select(['uuid', 'position', 'date', 'amount', 'account', 'kid', 'text', 'payer'])
    .select(['outcome', 'invoiceId', 'placements', 'suggestion'])
    .where('companyId', '=', companyId)
    .where('fileId', '=', fileId)
    .where('position', '>', after)
    .where(isShown)
    .$if(outcome !== undefined, (query) => query.where('outcome', '=', outcome as EntryOutcome))
    .orderBy('position')
    .limit(limit)
    .offset(offset)
    .execute();
}

/** Deletes some entries of a file that is not booked; returns whether there were any. */
export async function deleteEntries(
  db: Db,
  companyId: number,
  fileId: number,
  limit: number,
): Promise<boolean> {
  const { rows } = await sql`
    DELETE FROM bank_entry WHERE company_id = ${companyId} AND id IN (
      SELECT id FROM bank_entry WHERE company_id = ${companyId} AND file_id = ${fileId}
      ORDER BY position LIMIT ${limit})
    RETURNING id`.execute(db);
  return rows.length > 0;
}
