import type { ReminderDocument } from '../../domain/document/reminder-document.ts';
import { completed, oldestNaming, versioned } from './document-text.ts';
import type { FieldNames, FieldsOf } from './document-versions.ts';

const ADDRESS = { address1: true, address2: true, postalCode: true, city: true } as const;

const VERSION_1 = {
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
} as const;

const NEWEST = { ...VERSION_1, logo: true } satisfies FieldsOf<ReminderDocument>;

/** As of invoices: what reminders were made with never changes, and a new field is a new version. */
const VERSIONS: Readonly<Record<number, FieldNames>> = { 1: VERSION_1, 2: NEWEST };

const CURRENT_VERSION = 2;

/** The version that a reminder is made with: as of invoices, the oldest that names all that it holds. */
export function reminderVersionOf(document: ReminderDocument): number {
  return oldestNaming(document, VERSIONS) ?? CURRENT_VERSION;
}

/** The text that a reminder is frozen as, in the way of invoices. */
export function writeReminder(
  document: ReminderDocument,
  version: number = reminderVersionOf(document),
): string {
  return versioned(document, version, fieldsOf(version));
}

/** The reminder of a text. @throws RangeError for a version that is not known */
export function readReminder(text: string, version: number): ReminderDocument {
  fieldsOf(version);
  return completed((JSON.parse(text) as [number, unknown])[1], NEWEST) as ReminderDocument;
}

function fieldsOf(version: number): FieldNames {
  const fields = VERSIONS[version];
  if (!fields) throw new RangeError(`There is no version ${version} of reminders`);
  return fields;
}
