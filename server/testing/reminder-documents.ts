import type { ReminderDocument } from '../../domain/document/reminder-document.ts';
import { ore } from '../../domain/money.ts';
import { sampleBuyer, sampleInvoice, sampleSeller } from './invoice-documents.ts';

/** A friendly reminder of `sampleInvoice`, with changes. */
export function sampleReminder(changes: Partial<ReminderDocument> = {}): ReminderDocument {
  const { kid, kidModulus, bankAccountNumber, reference } = sampleInvoice();
  return {
    kind: 'REMINDER',
    date: '2026-12-09',
    dueDate: '2026-12-23',
    invoiceNumber: 10_027,
    invoice: {
      issueDate: '2026-11-21',
      dueDate: '2026-12-05',
      grossAmount: ore(2_663_016),
      paidAmount: ore(0),
      creditedAmount: null,
      about: 'Profildesign og logo m.m.',
    },
    fee: ore(0),
    interest: null,
    compensation: ore(0),
    earlier: ore(0),
    kid,
    kidModulus,
    bankAccountNumber,
    reference,
    seller: sampleSeller,
    buyer: sampleBuyer,
    logo: null,
    ...changes,
  };
}

/** A collection notice with every possible claim, for a partly paid invoice. */
export function sampleNotice(changes: Partial<ReminderDocument> = {}): ReminderDocument {
  const { invoice } = sampleReminder();
  return sampleReminder({
    kind: 'NOTICE',
    date: '2027-01-22',
    dueDate: '2027-02-05',
    invoice: { ...invoice, paidAmount: ore(1_000_000) },
    fee: ore(3750),
    interest: {
      amount: ore(30_274),
      periods: [
        { from: '2026-12-08', through: '2026-12-31', rate: 1225 },
        { from: '2027-01-01', through: '2027-01-22', rate: 1200 },
      ],
    },
    earlier: ore(3750),
    ...changes,
  });
}
