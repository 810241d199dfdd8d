import type { Db } from '../db/database.ts';
import { findLines } from './invoice.repository.ts';
import type { LineRow } from './invoice.rows.ts';
import * as repository from './invoice-series.repository.ts';

export type { RegisteredRow, SeriesRow } from './invoice-series.repository.ts';

/** A registered invoice or credit note as its rows have it. */
export interface Registered {
  readonly row: repository.RegisteredRow;
  readonly lines: readonly LineRow[];
}

/** The next companies, by id; of one address when it is given. One statement, so one moment. */
export async function findSeries(
  db: Db,
  range: { readonly afterId: number; readonly most: number; readonly email: string | null },
): Promise<repository.SeriesRow[]> {
  return repository.findSeries(db, range);
}

/** What is registered, by number, from one on. */
export async function findRegistered(
  db: Db,
  companyId: number,
  range: { readonly from: number; readonly to: number; readonly most: number },
): Promise<Registered[]> {
  const rows = await repository.findRegistered(db, companyId, range);
  const lines = await findLines(
    db,
    companyId,
    rows.map(({ id }) => id),
  );
  const linesOf = Map.groupBy(lines, (line) => line.invoiceId);
  return rows.map((row) => ({ row, lines: linesOf.get(row.id) ?? [] }));
}

/** Whether the kept counts are what counting gives, at one moment. */
export async function countsAreRight(db: Db, companyId: number): Promise<boolean> {
  return repository.countsAreRight(db, companyId);
}
