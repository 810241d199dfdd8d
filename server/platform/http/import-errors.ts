import type { ErrorCode } from '../../errors.ts';
import type { ErrorWords } from './error-words.ts';

/** The part of the error table about the import of customers. */
export const IMPORT_ERRORS = {
  import_faulty: {
    status: 400,
    en: (rows) => `Nothing was imported: ${rows === 1 ? '1 row has' : `${rows} rows have`} faults`,
    nb: (rows) => `Ingenting er importert: ${rows === 1 ? '1 rad' : `${rows} rader`} har feil`,
  },
  import_number_twice: {
    status: 400,
    en: 'customer_number is on an earlier row too',
    nb: 'Kundenummeret står også på en tidligere rad',
  },
  import_customer_twice: {
    status: 400,
    en: 'This is the same customer as that of an earlier row; give both a customer_number if not',
    nb: 'Dette er samme kunde som på en tidligere rad. Gi begge et kundenummer hvis de er to.',
  },
  import_org_number_twice: {
    status: 400,
    en: 'org_number is on an earlier row too; give both a customer_number',
    nb: 'Organisasjonsnummeret står også på en tidligere rad. Gi begge et kundenummer.',
  },
  import_org_number_shared: {
    status: 400,
    en: 'More than one customer has this org_number; give the row a customer_number',
    nb: 'Flere kunder har dette organisasjonsnummeret. Gi raden et kundenummer.',
  },
  group_too_large: {
    status: 409,
    en: 'A group can have at most 100000 customers',
    nb: 'En gruppe kan ha høyst 100 000 kunder',
  },
} as const satisfies Partial<Readonly<Record<ErrorCode, ErrorWords>>>;
