import type { ReminderDocument } from '../../domain/document/reminder-document.ts';
import { versioned } from './document-text.ts';
import type { FieldNames, FieldsOf } from './document-versions.ts';

const ADDRESS = { address1: true, address2: true, postalCode: true, city: true } as const;

/** As of invoices: what reminders were made with never changes, and a new field is a new version. */
const VERSIONS: Readonly<Record<number, FieldNames>> = {
  1: {
    kind: true,
    date: true,
    dueDate: true,
    invoiceNumber: true,
    invoice: { issueDate: true, dueDate: true, grossAmount: true, paidAmount: true, about: true },
    fee: true,
    interest: { amount: true, periods: { from: true, through: true, rate: true } },
    compensation: true,
    earlier: true,
    kid: true,
    kidModulus: true,
    bankAccountNumber: true,
    reference: true,
    seller: {
      name: true,
      orgNumber: true,
      email: true,
      vatRegistered: true,
      foretaksregisteret: true,
      ...ADDRESS,
    },
    buyer: { customerNumber: true, name: true, orgNumber: true, email: true, ...ADDRESS },
  } satisfies FieldsOf<ReminderDocument>,
};

/** The version that reminders are made with. */
export const REMINDER_VERSION = 1;

/** The text that a reminder is frozen as, in the way of invoices. */
export function writeReminder(document: ReminderDocument): string {
  return versioned(document, REMINDER_VERSION, fieldsOf(REMINDER_VERSION));
}

/** The reminder of a text. @throws RangeError for a version that is not known */
export function readReminder(text: string, version: number): ReminderDocument {
  fieldsOf(version);
  return (JSON.parse(text) as [number, ReminderDocument])[1];
}

function fieldsOf(version: number): FieldNames {
  const fields = VERSIONS[version];
  if (!fields) throw new RangeError(`There is no version ${version} of reminders`);
  return fields;
}
