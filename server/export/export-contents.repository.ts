import { sql } from 'kysely';

import type { ExportKind } from '../../domain/export/export.schema.ts';
import type { Db, Trx } from '../platform/db/database.ts';
import type { Basis, ExportScope, Moment, Range } from './books.ts';
import { type ExportName, type ExportRow } from './export.repository.ts';
import { allThrough, datedAfter } from './ranges.ts';

/** Kinds with the same contents: each family goes on by itself (EXP-6). An archive has everything. */
const FAMILIES: readonly (readonly ExportKind[])[] = [
  ['XLSX', 'CSV'],
  ['GBAT10', 'TWENTYFOURSEVEN', 'UNI', 'SAFT'],
  ['DOCUMENTS'],
];

function familyOf(kind: ExportKind): readonly ExportKind[] {
  return FAMILIES.find((kinds) => kinds.includes(kind)) ?? [];
}

/** An export of which nothing is exported again, and what is in it. */
export interface KeptExport {
  readonly row: ExportRow;
  readonly ranges: readonly Range[];
}

/**
 * The exports of a kind's family that `since_last` continues, oldest first (EXP-6): unfiltered, and fetched or still to be
 * fetched. A file that ended before anybody fetched it, or whose link was refused, is with nobody.
 */
export async function findKept(db: Db, companyId: number, kind: ExportKind): Promise<KeptExport[]> {
  const rows = await db
    .selectFrom('export')
    .selectAll()
    .where('companyId', '=', companyId)
    .where('kind', 'in', familyOf(kind))
    .where('state', '=', 'DONE')
    .where('filter', 'is', null)
    .where(
      sql<boolean>`(fetched_at IS NOT NULL
        OR (deleted_at IS NULL AND link_refused_at IS NULL AND expires_at > now()))`,
    )
    .orderBy('id')
    .execute();
  const stored = await readRanges(db, companyId, rows);
  return rows.map((row) => ({ row, ranges: rangesOf(row, stored.get(row.id)) }));
}

/** Ends the unread files of a family whose link was refused, since another export has all that is in them. */
export async function endRefused(trx: Trx, companyId: number, kind: ExportKind): Promise<void> {
  await trx
    .updateTable('export')
    .set({ deletedAt: sql<Date>`now()` })
    .where('companyId', '=', companyId)
    .where('kind', 'in', familyOf(kind))
    .where('state', '=', 'DONE')
    .where('filter', 'is', null)
    .where('fetchedAt', 'is', null)
    .where('deletedAt', 'is', null)
    .where('linkRefusedAt', 'is not', null)
    .execute();
}

/** The ranges of an export since the last one; null of a period. */
export async function findRanges(db: Db, row: ExportRow): Promise<readonly Range[] | null> {
  const stored = (await readRanges(db, row.companyId, [row])).get(row.id);
  return stored || row.afterNumber !== null ? rangesOf(row, stored) : null;
}

function rangesOf(row: ExportRow, stored: readonly Range[] | undefined): readonly Range[] {
  if (stored) return stored;
  const { afterNumber, afterPaymentId, afterDate, fromDate: from, toDate: to } = row;
  const through = { number: row.throughNumber, paymentId: row.throughPaymentId };
  if (afterNumber === null || afterPaymentId === null)
    return [{ ...allThrough(through), from, to }];
  // Exports of before ranges were kept: all after a point.
  const after = { number: afterNumber, paymentId: afterPaymentId };
  const dated = afterDate === null ? [] : [datedAfter(afterDate, after)];
  return [{ ...allThrough(through), after }, ...dated];
}

async function readRanges(
  db: Db,
  companyId: number,
  exports: readonly Pick<ExportRow, 'id'>[],
): Promise<Map<number, readonly Range[]>> {
  if (exports.length === 0) return new Map();
  const rows = await db
    .selectFrom('exportRange')
    .selectAll()
    .where('companyId', '=', companyId)
    .where(sql<boolean>`export_id = ANY(${exports.map(({ id }) => id)}::bigint[])`)
    .orderBy('exportId')
    .orderBy('position')
    .execute();
  const ranges = rows.map(({ exportId, ...row }) => ({
    exportId,
    after: momentOf(row.afterNumber, row.afterPaymentId),
    through: momentOf(row.throughNumber, row.throughPaymentId),
    from: row.fromDate,
    to: row.toDate,
  }));
  return Map.groupBy(ranges, ({ exportId }) => exportId);
}

function momentOf(number: number, paymentId: number): Moment {
  return { number, paymentId };
}

/** Keeps what is in an export, and what it is made with (EXP-7). */
export async function insertContents(
  trx: Trx,
  { companyId, id: exportId }: ExportName,
  { listed, ranges }: ExportScope,
  basis: Basis | null,
): Promise<void> {
  if (listed) {
    const numbers = [...listed];
    await trx.insertInto('exportListed').values({ companyId, exportId, numbers }).execute();
  }
  for (const [index, { after, through, from, to }] of (ranges ?? []).entries()) {
    await trx
      .insertInto('exportRange')
      .values({
        companyId,
        exportId,
        position: index + 1,
        afterNumber: after.number,
        afterPaymentId: after.paymentId,
        throughNumber: through.number,
        throughPaymentId: through.paymentId,
        fromDate: from,
        toDate: to,
      })
      .execute();
  }
  if (basis) {
    const [seller, settings] = [JSON.stringify(basis.seller), JSON.stringify(basis.settings)];
    await trx.insertInto('exportBasis').values({ companyId, exportId, seller, settings }).execute();
  }
}

/** The seller and the settings when an export was asked for; null of exports of before they were kept. */
export async function findBasis(db: Db, { companyId, id }: ExportName): Promise<Basis | null> {
  // As texts: names of treatments and numbers of accounts are keys.
  const { rows } = await sql<{ readonly seller: string; readonly settings: string }>`
    SELECT seller::text AS seller, settings::text AS settings FROM export_basis
    WHERE company_id = ${companyId} AND export_id = ${id}`.execute(db);
  const [row] = rows;
  return row
    ? {
        seller: JSON.parse(row.seller) as Basis['seller'],
        settings: JSON.parse(row.settings) as Basis['settings'],
      }
    : null;
}

/** The numbers that an export's filter found; null without a filter, and of exports of before they were kept. */
export async function findListed(
  db: Db,
  { companyId, id }: ExportName,
): Promise<readonly number[] | null> {
  const { rows } = await sql<{ list: string }>`
    SELECT to_json(numbers)::text AS list FROM export_listed
    WHERE company_id = ${companyId} AND export_id = ${id}`.execute(db);
  return rows[0] ? (JSON.parse(rows[0].list) as number[]) : null;
}
