import { sql } from 'kysely';

import { todayInOslo, type IsoDate } from '../../domain/date.ts';
import { kronerToOre } from '../../domain/money.ts';
import { reminderVersionOf, writeReminder } from '../document/document-text.ts';
import type { Db } from '../platform/db/database.ts';
import { addPayments } from '../payment/payment-posting.service.ts';
import type { NewPayment } from '../payment/payment.repository.ts';
import { sampleReminder } from './reminder-documents.ts';

interface Told extends Partial<Omit<NewPayment, 'amount' | 'invoiceId'>> {
  /** Kroner. */
  readonly amount: number;
}

/** Adds an unallocated payment from the bank. Returns its uuid. */
export async function addBankPayment(
  db: Db,
  companyId: number,
  { amount, ...values }: Told,
): Promise<string> {
  const row: NewPayment = {
    kind: amount < 0 ? 'REVERSAL' : 'PAYMENT',
    source: 'BANK',
    paidOn: todayInOslo(),
    account: '12345678903',
    payer: 'Kari Nordmann',
    ...values,
    invoiceId: null,
    amount: kronerToOre(amount),
  };
  const author = { type: 'BANK', name: 'ocr.txt' } as const;
  const [uuid] = await db
    .transaction()
    .execute(async (trx) => addPayments(trx, companyId, author, [row]));
  if (uuid === undefined) throw new Error('No payment was added');
  return uuid;
}

interface Asked {
  /** Kroner. */
  readonly fee?: number;
  /** Kroner. */
  readonly interest?: number;
  readonly step?: number;
  readonly sentOn?: IsoDate;
}

/** Adds a reminder with claims to an invoice. By default it was sent before any payment. */
export async function addReminderClaims(
  db: Db,
  companyId: number,
  invoiceUuid: string,
  { fee = 0, interest = 0, step = 1, sentOn = '2000-01-01' }: Asked,
): Promise<void> {
  const document = sampleReminder();
  const version = reminderVersionOf(document);
  await sql`
    INSERT INTO document (company_id, kind, invoice_id, version, content)
    SELECT company_id, 'REMINDER', id, ${version}, ${writeReminder(document, version)} FROM invoice
    WHERE company_id = ${companyId} AND uuid = ${invoiceUuid}`.execute(db);
  await sql`
    INSERT INTO reminder (company_id, invoice_id, document_id, step, kind, sent_on, due_date,
      principal, fee, interest, compensation, by_type, by_name)
    SELECT ${companyId}, invoice.id,
      (SELECT max(id) FROM document WHERE company_id = ${companyId} AND invoice_id = invoice.id),
      ${step}, 'NOTICE', ${sentOn}::date, ${sentOn}::date + 14, gross_amount - credited_amount - paid_amount,
      ${kronerToOre(fee)}, ${kronerToOre(interest)}, 0, 'SYSTEM', 'Faktur'
    FROM invoice WHERE company_id = ${companyId} AND uuid = ${invoiceUuid}`.execute(db);
}
