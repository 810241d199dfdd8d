import type { Db } from '../db/database.ts';
import * as repository from './invoice-series.repository.ts';

export type { RegisteredRow, SeriesRow } from './invoice-series.repository.ts';

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
): Promise<repository.RegisteredRow[]> {
  return repository.findRegistered(db, companyId, range);
}

/** Whether the kept counts are what counting gives, at one moment. */
export async function countsAreRight(db: Db, companyId: number): Promise<boolean> {
  return repository.countsAreRight(db, companyId);
}
