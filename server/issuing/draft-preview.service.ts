import type { InvoiceForm } from '../../domain/invoice/invoice.schema.ts';
import type { Actor, Context } from '../context.ts';
import { drawDraft, findDocument } from '../document/show-document.service.ts';
import type { Db, Trx } from '../platform/db/database.ts';
import { createFromForm } from './drafts.service.ts';

/**
 * The PDF of the draft that the form would make for its first customer. What is made for it is taken back (INV-45).
 *
 * @param signal aborted when the caller no longer waits
 * @throws AppError as `createInvoices`, and too_many_pdfs
 */
export async function previewInvoice(
  context: Context,
  actor: Actor,
  form: InvoiceForm,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const { companyId } = actor;
  const [first] = form.customerNumbers;
  const only = first === undefined ? { most: 1 } : { customerNumbers: [first], groupUuid: null };
  const document = await undone(context.db, async (trx) => {
    const [row] = await createFromForm(context, trx, actor, { ...form, ...only });
    if (!row) throw new Error('A form without recipients was not refused');
    return (await findDocument({ ...context, db: trx }, companyId, row.uuid)).document;
  });
  return drawDraft(context, document, { owner: companyId, signal });
}

/** Does `work`, rolls back everything that it wrote, and returns its result. */
async function undone<R>(db: Db, work: (trx: Trx) => Promise<R>): Promise<R> {
  const end = new Error('rolled back on purpose');
  let result: { readonly value: R } | undefined;
  try {
    await db.transaction().execute(async (trx) => {
      result = { value: await work(trx) };
      throw end;
    });
  } catch (error) {
    if (error !== end || !result) throw error;
  }
  if (!result) throw end;
  return result.value;
}
