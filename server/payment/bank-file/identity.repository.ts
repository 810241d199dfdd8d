import { sql } from 'kysely';

import type { IsoDate } from '../../../domain/date.ts';
import { ore } from '../../../domain/money.ts';
import type { Db } from '../../platform/db/database.ts';
import { inForce } from '../payment.repository.ts';
import type { EntryRow } from './bank-entry.repository.ts';
import { fingerprintOf } from './read/identity.ts';

/** Whether the money of an entry is in the books. */
export interface Known {
  /** The same money is booked, or the parts of a sum are. */
  readonly isBooked: boolean;
  /** Similar money is booked, which may be another payment. */
  readonly mayBeCopy: boolean;
}

/** Formats date the same payment up to this many days apart: bank date, Nets date, booking date over a weekend. */
const DAYS_BETWEEN_FORMATS = 7;

/**
 * Finds booked money for the entries of a file, in their order. Files are compared in three ways: by the key of
 * the bank's references; by the fingerprint of equal content; and by the line of the account's statement, which
 * links sums with their parts.
 *
 * Entries of different files with different keys may be the same money when their fingerprints are equal. In one
 * format the same payment has the same date, and the occurrence separates two equal ones; another format may date
 * them some days apart.
 */
export async function findKnown(
  db: Db,
  companyId: number,
  fileId: number,
  entries: readonly EntryRow[],
): Promise<Known[]> {
  const given = JSON.stringify(entries.map(toGiven));
  const booked = sql`booked.company_id = ${companyId} AND booked.booked_key IS NOT NULL`;
  const { rows } = await sql<Known>`
    WITH given AS MATERIALIZED (
      SELECT * FROM json_to_recordset(${given}) AS given (
        n integer, key text, fingerprint text, occurrence integer, format text, kind text,
        own text, date date, amount bigint, payer text, is_named boolean,
        line_reference text, line_date date, line_sum bigint)
    ), line AS MATERIALIZED (
      -- Thousands of entries may share one line: its booked entries are read once.
      SELECT own, line_date, line_sum, line_reference, line_entries.*
      FROM (SELECT DISTINCT own, line_date, line_sum, line_reference, format FROM given) line
      CROSS JOIN LATERAL (
        SELECT ${ofLine} FROM bank_entry booked
        WHERE ${booked} AND booked.line_date = line.line_date AND booked.line_sum = line.line_sum
          AND booked.format = ANY(${otherFormats('line')}) AND booked.account = line.own
          AND booked.file_id <> ${fileId}
          AND (booked.line_reference IS NULL OR line.line_reference = ''
            OR booked.line_reference = line.line_reference)
      ) line_entries
    )
    SELECT (
        SELECT count(*) FROM bank_entry booked
        WHERE booked.company_id = ${companyId} AND booked.booked_key = decode(given.key, 'hex')
      ) > 0 OR COALESCE(${specifies}, false) AS is_booked,
      (
        SELECT booked.id FROM bank_entry booked
        WHERE ${booked} AND booked.fingerprint = decode(given.fingerprint, 'hex')
          AND booked.format = given.format AND booked.date = given.date
          AND booked.occurrence = given.occurrence
          AND booked.file_id <> ${fileId} AND ${isNotOfAnother} LIMIT 1
      ) IS NOT NULL OR (
        SELECT booked.id FROM bank_entry booked
        WHERE ${booked} AND booked.fingerprint = decode(given.fingerprint, 'hex')
          AND booked.format = ANY(${otherFormats('given')})
          AND booked.date BETWEEN given.date - ${sql.lit(DAYS_BETWEEN_FORMATS)}
            AND given.date + ${sql.lit(DAYS_BETWEEN_FORMATS)}
          AND booked.file_id <> ${fileId} AND ${isNotOfAnother} LIMIT 1
      ) IS NOT NULL OR COALESCE(${resembles}, false) AS may_be_copy
    FROM given LEFT JOIN line USING (own, line_date, line_sum, line_reference)
    ORDER BY given.n`.execute(db);
  return rows;
}

function otherFormats(of: string) {
  return sql`array_remove('{OCR,CAMT054,CAMT053}'::text[], ${sql.ref(`${of}.format`)})`;
}

function toGiven(entry: EntryRow, n: number) {
  return {
    n,
    key: entry.key,
    fingerprint: entry.fingerprint,
    occurrence: entry.occurrence,
    format: entry.format,
    kind: entry.kind,
    own: entry.account,
    date: entry.date,
    amount: entry.amount,
    payer: entry.payerHash,
    is_named: entry.kid !== null || entry.kids !== null,
    line_reference: entry.lineReference ?? '',
    line_date: entry.lineDate,
    line_sum: entry.lineSum,
  };
}

/** Payments from two different accounts are not the same money, even when all else is equal. */
const isNotOfAnother = sql`COALESCE(booked.payer_account_hash = decode(given.payer, 'hex'), true)`;

/** Whether the money of a sum was not dropped. */
const isInForce = sql`(
  SELECT count(*) FROM payment
  WHERE payment.company_id = booked.company_id AND payment.entry_id = booked.id AND ${inForce}
) > 0`;

/** The booked entries of a line: its parts, its sum, or one payment that is the whole line. */
const ofLine = sql`
  bool_or(booked.kind <> 'BATCH') AS has_parts,
  bool_or(booked.kind = 'BATCH' AND ${isInForce}) AS has_sum,
  bool_or(booked.kind = 'PAYMENT' AND booked.amount = booked.line_sum
    AND booked.line_reference = line.line_reference) AS has_same,
  bool_or(booked.kind = 'PAYMENT' AND booked.amount = booked.line_sum
    AND booked.kid IS NULL AND booked.kids IS NULL) AS has_unnamed,
  bool_or(booked.kind = 'PAYMENT' AND booked.amount = booked.line_sum
    AND (booked.line_reference IS NULL OR line.line_reference = '')) AS has_unreferenced,
  bool_or(booked.kind = 'PAYMENT' AND booked.amount <> booked.line_sum) AS has_some`;

/** A sum whose parts are booked; or one payment, by the reference of its line. */
const specifies = sql`(given.kind = 'BATCH' AND line.has_parts
  OR given.kind = 'PAYMENT' AND given.amount = given.line_sum AND line.has_same)`;

/**
 * A part whose sum came first; a payment that may be a sum of parts, or the reverse; or one payment that has a KID
 * in one file and is a bare line in the other, where the reference of the line is missing, as in OCR giro.
 */
const resembles = sql`(given.kind <> 'BATCH' AND line.has_sum
  OR given.kind = 'PAYMENT' AND line.has_unnamed
    AND (given.amount <> given.line_sum OR given.is_named)
  OR given.kind = 'PAYMENT' AND given.amount = given.line_sum AND NOT given.is_named
    AND (line.has_some OR line.has_unreferenced))`;

/** A payment that a reversal may take back. */
export interface Original {
  /** Index of the reversal. */
  readonly n: number;
  readonly entryId: number;
  /** Whether the reversal has its reference. */
  readonly isNamed: boolean;
  readonly date: IsoDate;
  /** Hex. */
  readonly key: string;
}

/** Equal payments examined per reversal. */
const ALIKE_MAX = 20;

/** In OCR giro a reference may be a till's session, with payments of several KIDs. */
const hasSameReference = sql`(booked.reference = given.reference
  AND COALESCE(booked.kid = given.kid, true))`;

/**
 * Finds the payments that reversals may take back: entries with the opposite amount, and with the same reference
 * or fingerprint. Later payments are excluded: a customer who pays again after a reversal has paid.
 */
export async function findOriginals(
  db: Db,
  companyId: number,
  reversals: readonly EntryRow[],
): Promise<Original[]> {
  const given = reversals.map((entry, n) => ({
    n,
    amount: 0 - entry.amount,
    own: entry.account,
    reference: entry.reference,
    kid: entry.kid,
    takes_back: oppositeFingerprint(entry),
    format: entry.format,
    date: entry.date,
  }));
  const { rows } = await sql<Original>`
    SELECT given.n, original.id AS entry_id, original.is_named, original.date::text,
      encode(original.key, 'hex') AS key
    FROM json_to_recordset(${JSON.stringify(given)}) AS given (
      n integer, amount bigint, own text, reference text, kid text, takes_back text, format text,
      date date)
    CROSS JOIN LATERAL (
      SELECT id, date, key, COALESCE(reference = given.reference, false) AS is_named
      FROM bank_entry booked
      WHERE booked.company_id = ${companyId} AND booked.booked_key IS NOT NULL
        AND booked.account = given.own AND booked.amount = given.amount
        AND (${hasSameReference} OR booked.fingerprint = decode(given.takes_back, 'hex'))
        AND booked.date <= given.date + CASE WHEN booked.format = given.format
          THEN 0 ELSE ${sql.lit(DAYS_BETWEEN_FORMATS)} END
      ORDER BY is_named DESC, date DESC, key DESC LIMIT ${sql.lit(ALIKE_MAX)}
    ) original
    ORDER BY given.n`.execute(db);
  return rows;
}

/**
 * Finds reversals that may have waited for these entries: the rule of `findOriginals` in reverse, without the
 * dates.
 */
export async function findReversalsOf(
  db: Db,
  companyId: number,
  entries: readonly EntryRow[],
): Promise<number[]> {
  const given = entries.map((entry) => ({
    amount: 0 - entry.amount,
    own: entry.account,
    reference: entry.reference,
    kid: entry.kid,
    taken_back: oppositeFingerprint(entry),
  }));
  const { rows } = await sql<{ id: number }>`
    SELECT DISTINCT reversal.id
    FROM json_to_recordset(${JSON.stringify(given)}) AS given (
      amount bigint, own text, reference text, kid text, taken_back text)
    CROSS JOIN LATERAL (
      SELECT id FROM bank_entry booked
      WHERE booked.company_id = ${companyId} AND booked.booked_key IS NOT NULL
        AND booked.kind = 'REVERSAL' AND booked.account = given.own
        AND booked.amount = given.amount
        AND (${hasSameReference} OR booked.fingerprint = decode(given.taken_back, 'hex'))
      -- OFFSET 0 forces a lookup for each entry; a join would compare every entry with every reversal.
      OFFSET 0
    ) reversal
    ORDER BY reversal.id`.execute(db);
  return rows.map(({ id }) => id);
}

/** The fingerprint of the opposite entry: the same content with the opposite amount. */
function oppositeFingerprint({ account, amount, kid, kids, text }: EntryRow): string {
  const named = kids ?? (kid === null ? [] : [{ kid }]);
  return fingerprintOf({ account, amount: ore(0 - amount), kids: named, text });
}
