import type { NumberOrUuid } from '../../domain/invoice/invoice.schema.ts';
import { compiledOnce } from '../platform/db/compiled-once.ts';
import type { Db } from '../platform/db/database.ts';
import type { JsonDelivery } from '../delivery/delivery.rows.ts';
import { deliveriesOfInvoice } from '../delivery/delivery.selection.ts';
import type { ShownRow } from '../invoice/invoice.rows.ts';
import { selectShown } from '../invoice/invoice.selection.ts';

/** The row from which the API's response for an invoice is built. */
export interface AnswerRow extends ShownRow {
  readonly deliveries: readonly JsonDelivery[];
}

/** Selects invoices with everything that the response needs. */
export function selectAnswers(db: Db) {
  return selectShown(db).select(deliveriesOfInvoice().as('deliveries'));
}

/** The company's invoice or credit note with this number or uuid. */
export async function findAnswerRow(
  db: Db,
  companyId: number,
  name: NumberOrUuid,
): Promise<AnswerRow | undefined> {
  const rows: AnswerRow[] =
    typeof name === 'number'
      ? await findByNumber(db, companyId, name)
      : await findByUuid(db, companyId, name);
  return rows[0];
}

const findByNumber = compiledOnce((db, companyId: number, invoiceNumber: number) =>
  selectAnswers(db)
    .where('invoice.companyId', '=', companyId)
    .where('invoice.invoiceNumber', '=', invoiceNumber),
);

const findByUuid = compiledOnce((db, companyId: number, uuid: string) =>
  selectAnswers(db).where('invoice.companyId', '=', companyId).where('invoice.uuid', '=', uuid),
);
