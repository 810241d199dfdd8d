import type { InvoiceDocument } from '../../domain/document/invoice-document.ts';
import type { ReminderDocument } from '../../domain/document/reminder-document.ts';

/** Names of fields; for an object or a list of objects, with the names of its fields. */
export interface FieldNames {
  readonly [field: string]: true | FieldNames;
}

/** The names of all fields that a document has. */
type FieldsOf<T> = T extends readonly (infer Item)[]
  ? FieldsOf<Item>
  : {
      readonly [Field in keyof T]-?: T[Field] extends
        | string
        | number
        | boolean
        | readonly string[]
        | null
        | undefined
        ? true
        : FieldsOf<NonNullable<T[Field]>>;
    };

const ADDRESS = { address1: true, address2: true, postalCode: true, city: true } as const;

const VERSION_1 = {
  kind: true,
  invoiceNumber: true,
  issueDate: true,
  dueDate: true,
  deliveryDate: true,
  reference: true,
  kid: true,
  bankAccountNumber: true,
  credits: { invoiceNumber: true, issueDate: true },
  seller: {
    name: true,
    orgNumber: true,
    email: true,
    vatRegistered: true,
    foretaksregisteret: true,
    ...ADDRESS,
  },
  buyer: { customerNumber: true, name: true, orgNumber: true, email: true, ...ADDRESS },
  lines: { quantity: true, description: true, netUnitAmount: true, vatRate: true },
} as const;

const VERSION_2 = { ...VERSION_1, kidModulus: true } as const;

const VERSION_3 = {
  ...VERSION_2,
  message: true,
  logo: true,
  lines: { ...VERSION_1.lines, unit: true },
} as const;

const VERSION_4 = {
  ...VERSION_3,
  lines: { ...VERSION_3.lines, vatTreatment: true },
} as const;

const VERSION_5 = {
  ...VERSION_4,
  attachments: { name: true, mediaType: true, size: true, sha256: true },
} as const;

/** The fields of a buyer that were filled in (CUS-17). */
const BUYER = {
  ...VERSION_1.buyer,
  country: true,
  contactName: true,
  invoiceEmails: true,
} as const;

const VERSION_6 = { ...VERSION_5, buyer: BUYER } as const;

const VERSION_7 = { ...VERSION_6, buyerVatNumber: true, deliveryCountry: true } as const;

const VERSION_8 = {
  ...VERSION_7,
  credits: { ...VERSION_1.credits, extent: true },
  vatSubtotals: { vatRate: true, vatTreatment: true, net: true, vat: true },
} as const;

const VERSION_9 = {
  ...VERSION_8,
  lines: { ...VERSION_4.lines, productNumber: true },
} as const;

const VERSION_10 = { ...VERSION_9, quoteNumber: true } as const;

/**
 * The fields that each version of the hash names. A version that documents were registered with never changes: a
 * document that gets a new field gets a new version, `{ ...VERSION_1, field: true }`.
 */
export const DOCUMENT_VERSIONS: Readonly<Record<number, FieldNames>> = {
  1: VERSION_1,
  2: VERSION_2,
  3: VERSION_3,
  4: VERSION_4,
  5: VERSION_5,
  6: VERSION_6,
  7: VERSION_7,
  8: VERSION_8,
  9: VERSION_9,
  // The compiler checks that the newest version names all fields.
  10: VERSION_10 satisfies FieldsOf<InvoiceDocument>,
};

/** Documents of earlier versions state rates alone. */
export const TREATMENTS_SINCE: number = 4;

/** The newest version; see `versionOf` for the version of a new document. */
export const CURRENT_VERSION: number = 10;

const REMINDER_1 = {
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

const REMINDER_2 = { ...REMINDER_1, logo: true } as const;

const REMINDER_3 = { ...REMINDER_2, buyer: BUYER } as const;

/** The newest version of reminders. */
export const REMINDER_4 = {
  ...REMINDER_3,
  invoice: { ...REMINDER_1.invoice, creditedAmount: true },
} satisfies FieldsOf<ReminderDocument>;

/** The fields of each version of reminders. Like those of invoices, a used version never changes. */
export const REMINDER_VERSIONS: Readonly<Record<number, FieldNames>> = {
  1: REMINDER_1,
  2: REMINDER_2,
  3: REMINDER_3,
  4: REMINDER_4,
};
