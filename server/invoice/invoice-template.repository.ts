import { sql } from 'kysely';

import type { DeliveryType } from '../../domain/delivery/delivery.schema.ts';
import type { TreatedLine } from '../../domain/invoice/invoice.totals.ts';
import type { Db, Trx } from '../platform/db/database.ts';
import { isStill } from '../platform/db/columns.ts';
import { exactQuantity, toStoredLine } from './invoice.selection.ts';
import { LINE_CONTENT } from './invoice.rows.ts';

export interface TemplateRow {
  readonly id: number;
  readonly name: string;
  readonly deliveryType: DeliveryType;
  readonly dueDays: number;
  readonly version: number;
}

export interface TemplateLineRow extends TreatedLine {
  readonly id: number;
  readonly templateId: number;
}

/** The values of a template to save; the database increments the version. */
type TemplateValues = Omit<TemplateRow, 'id' | 'version'>;

const COLUMNS = ['id', 'name', 'deliveryType', 'dueDays', 'version'] as const;

export async function listTemplates(db: Db, companyId: number): Promise<TemplateRow[]> {
  return db
    .selectFrom('invoiceTemplate')
    .select(COLUMNS)
    .where('companyId', '=', companyId)
    .orderBy('id')
    .execute();
}

export async function findTemplate(
  db: Db,
  companyId: number,
  id: number,
): Promise<TemplateRow | null> {
  return (await selectTemplate(db, companyId, id).executeTakeFirst()) ?? null;
}

/** A template, locked until the transaction ends; null when there is none. */
export async function lockTemplate(
  trx: Trx,
  companyId: number,
  id: number,
): Promise<TemplateRow | null> {
  return (await selectTemplate(trx, companyId, id).forShare().executeTakeFirst()) ?? null;
}

function selectTemplate(db: Db, companyId: number, id: number) {
  return db
    .selectFrom('invoiceTemplate')
    .select(COLUMNS)
    .where('companyId', '=', companyId)
    .where('id', '=', id);
}

export async function findLines(
  db: Db,
  companyId: number,
  templateIds: readonly number[],
): Promise<TemplateLineRow[]> {
  return db
    .selectFrom('invoiceTemplateLine')
    .select(['id', 'templateId', ...LINE_CONTENT])
    .select(exactQuantity('invoiceTemplateLine'))
    .where('companyId', '=', companyId)
    .where(sql<boolean>`template_id = ANY(${[...templateIds]}::integer[])`)
    .orderBy('templateId')
    .orderBy('position')
    .execute();
}

export async function insertTemplate(
  trx: Trx,
  companyId: number,
  values: TemplateValues,
): Promise<TemplateRow> {
  return trx
    .insertInto('invoiceTemplate')
    .values({ companyId, ...values })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
}

/**
 * Saves a template, which locks it until the transaction ends; null when the company has none with this id, or it
 * has a newer version than the caller has read.
 */
export async function saveTemplate(
  trx: Trx,
  companyId: number,
  id: number,
  values: TemplateValues,
  version: number | null | undefined,
): Promise<TemplateRow | null> {
  const row = await trx
    .updateTable('invoiceTemplate')
    .set(values)
    .where('companyId', '=', companyId)
    .where('id', '=', id)
    .where(isStill(version))
    .returning(COLUMNS)
    .executeTakeFirst();
  return row ?? null;
}

export async function insertLine(
  trx: Trx,
  owner: { companyId: number; templateId: number; position: number },
  line: TreatedLine,
): Promise<void> {
  await trx
    .insertInto('invoiceTemplateLine')
    .values({ ...owner, ...toStoredLine(line) })
    .execute();
}

export async function saveLine(
  trx: Trx,
  owner: { companyId: number; templateId: number; position: number },
  id: number,
  line: TreatedLine,
): Promise<void> {
  await trx
    .updateTable('invoiceTemplateLine')
    .set({ ...toStoredLine(line), position: owner.position })
    .where('companyId', '=', owner.companyId)
    .where('templateId', '=', owner.templateId)
    .where('id', '=', id)
    .execute();
}

export async function deleteLines(
  trx: Trx,
  companyId: number,
  templateId: number,
  ids: readonly number[],
): Promise<void> {
  await trx
    .deleteFrom('invoiceTemplateLine')
    .where('companyId', '=', companyId)
    .where('templateId', '=', templateId)
    .where(sql<boolean>`id = ANY(${[...ids]}::bigint[])`)
    .execute();
}

/** Deletes a template; false when the company has none with this id. */
export async function deleteTemplate(db: Db, companyId: number, id: number): Promise<boolean> {
  const result = await db
    .deleteFrom('invoiceTemplate')
    .where('companyId', '=', companyId)
    .where('id', '=', id)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}
