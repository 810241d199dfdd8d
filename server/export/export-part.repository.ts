import { sql } from 'kysely';

import type { Db } from '../platform/db/database.ts';
import type { Row } from '../platform/db/tables.ts';
import type { ExportName, ExportRow, Making } from './export.repository.ts';

export type PartRow = Row<'exportPart', 'attempt' | 'position' | 'size' | 'home' | 'packed'>;

const SHOWN = ['attempt', 'position', 'size', 'home', 'packed'] as const;

/** Adds a part of a file that is being made; without content it is in the object store. */
export async function insertPart(
  db: Db,
  { companyId, id: exportId, attempt }: Making,
  part: Pick<PartRow, 'position' | 'size' | 'packed'> & { readonly content: Uint8Array | null },
): Promise<void> {
  const home = part.content === null ? 'S3' : 'DATABASE';
  await db
    .insertInto('exportPart')
    .values({ companyId, exportId, attempt, home, ...part })
    .execute();
}

/** One part of a whole file; null after the last, and when the file is gone. */
export async function findPart(
  db: Db,
  { companyId, id, attempt }: Making,
  position: number,
): Promise<(PartRow & { readonly content: Uint8Array | null }) | null> {
  const row = await db
    .selectFrom('exportPart')
    .select([...SHOWN, 'content'])
    .where('companyId', '=', companyId)
    .where('exportId', '=', id)
    .where('attempt', '=', attempt)
    .where('position', '=', position)
    .executeTakeFirst();
  return row ?? null;
}

/** The parts of all makings of an export, or of those before one. */
export async function listParts(
  db: Db,
  { companyId, id }: ExportName,
  before: number | null,
): Promise<PartRow[]> {
  return db
    .selectFrom('exportPart')
    .select(SHOWN)
    .where('companyId', '=', companyId)
    .where('exportId', '=', id)
    .$if(before !== null, (query) => query.where('attempt', '<', before))
    .orderBy('attempt')
    .orderBy('position')
    .execute();
}

export async function deletePart(
  db: Db,
  { companyId, id }: ExportName,
  { attempt, position }: Pick<PartRow, 'attempt' | 'position'>,
): Promise<void> {
  await db
    .deleteFrom('exportPart')
    .where('companyId', '=', companyId)
    .where('exportId', '=', id)
    .where('attempt', '=', attempt)
    .where('position', '=', position)
    .execute();
}

export async function deleteLinks(db: Db, { companyId, id }: ExportName): Promise<void> {
  await db
    .deleteFrom('exportLink')
    .where('companyId', '=', companyId)
    .where('exportId', '=', id)
    .execute();
}

export async function deleteListed(db: Db, { companyId, id }: ExportName): Promise<void> {
  await db
    .deleteFrom('exportListed')
    .where('companyId', '=', companyId)
    .where('exportId', '=', id)
    .execute();
}

/** Exports of all companies whose file is over, failed or was made anew, and that still have parts, links or numbers. */
export async function findLeftovers(
  db: Db,
): Promise<Pick<ExportRow, 'companyId' | 'id' | 'uuid' | 'attempt'>[]> {
  const { rows } = await sql<Making>`
    SELECT company_id, id, uuid, attempt FROM export
    WHERE (deleted_at IS NOT NULL OR expires_at <= now() OR state = 'FAILED')
      AND (EXISTS (SELECT FROM export_part part
          WHERE part.company_id = export.company_id AND part.export_id = export.id)
        OR EXISTS (SELECT FROM export_link link
          WHERE link.company_id = export.company_id AND link.export_id = export.id)
        OR EXISTS (SELECT FROM export_listed listed
          WHERE listed.company_id = export.company_id AND listed.export_id = export.id))
    ORDER BY company_id, id`.execute(db);
  return rows;
}
