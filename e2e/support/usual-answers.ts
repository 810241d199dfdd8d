import { randomUUID } from 'node:crypto';

import {
  type Endpoint,
  type Feature,
  FEATURES,
  type ParsedOf,
  type ResponseOf,
} from '../../domain/api/endpoint.ts';
import {
  createCustomer,
  deleteCustomer,
  getCustomer,
  listCustomerGroups,
  listCustomers,
  searchCustomerGroups,
  searchCustomers,
  updateCustomer,
} from '../../domain/customer/customer.endpoints.ts';
import type { Customer } from '../../domain/customer/customer.schema.ts';
import { addDays, todayInOslo } from '../../domain/date.ts';
import { listPasskeys } from '../../domain/passkey/passkey.endpoints.ts';
import { listStatementDeliveries } from '../../domain/portal/statement.endpoints.ts';
import { getInvoiceHistory } from '../../domain/history/history.endpoints.ts';
import { listInvoiceTemplates } from '../../domain/invoice-template/invoice-template.endpoints.ts';
import { getCustomerEhf } from '../../domain/ehf/ehf.endpoints.ts';
import {
  getEhfCheck,
  getEInvoiceSettings,
  listCustomersEhf,
} from '../../domain/einvoice/einvoice.endpoints.ts';
import {
  createInvoices,
  getInvoice,
  listInvoices,
  searchInvoiceLines,
} from '../../domain/invoice/invoice.endpoints.ts';
import type { Invoice } from '../../domain/invoice/invoice.schema.ts';
import { PERMISSIONS } from '../../domain/permission.ts';
import { listProducts } from '../../domain/product/product.endpoints.ts';
import { getProfile, updateProfile } from '../../domain/profile/profile.endpoints.ts';
import type { Profile } from '../../domain/profile/profile.schema.ts';
import { getKidAgreement, getPortalSettings } from '../../domain/profile/settings.endpoints.ts';
import { getSession, listSessions, logout } from '../../domain/session/session.endpoints.ts';
import type { Session } from '../../domain/session/session.schema.ts';
import { AppError } from '../../server/errors.ts';

const COMPANY = { uuid: '2f6b1a9e-1c5d-4c8e-9a55-0d3f6c1b7a10', name: 'Fjordlys Snekkeri AS' };

function sessionWith(features: ReadonlySet<Feature>): Session {
  return {
    email: 'kari@fjordlys.no',
    isStaff: false,
    isProfileCompleted: true,
    features: FEATURES.filter((feature) => features.has(feature)),
    ...(features.has('members') && {
      company: COMPANY,
      companies: [COMPANY],
      role: 'OWNER',
      permissions: [...PERMISSIONS],
    }),
  };
}

const PROFILE: Profile = {
  companyName: COMPANY.name,
  orgNumber: '123456785',
  vatRegistered: true,
  foretaksregisteret: true,
  email: 'post@fjordlys.no',
  billingAddress1: 'Strandgata 12',
  billingAddress2: null,
  billingPostalCode: '5003',
  billingCity: 'Bergen',
  startInvoiceNumber: 1,
  defaultMessage: null,
  hasCreatedInvoice: false,
  isProfileCompleted: true,
  isStaff: false,
  bankAccounts: [{ bankAccountNumber: '86011117947', isPrimary: true }],
  logo: null,
  version: 1,
};

export function customerOf(customerNumber: number, fields: Partial<Customer>): Customer {
  return {
    customerNumber,
    name: 'Nordnes Kaffebar',
    email: null,
    orgNumber: null,
    phoneNumber: null,
    address1: null,
    address2: null,
    postalCode: null,
    city: null,
    country: 'NO',
    contactName: null,
    invoiceEmails: [],
    reference: null,
    dueDays: null,
    deliveryType: null,
    isPrivate: false,
    version: 1,
    ...fields,
  };
}

/** A draft of 1 000 kroner and 25 %, or what the fields make of it. */
export function invoiceOf(fields: Partial<Invoice> = {}): Invoice {
  const issueDate = todayInOslo();
  const line = {
    invoicedQuantity: 1,
    description: 'Konsulenttime',
    vatRatePercentage: 25,
  } as const;
  return {
    uuid: randomUUID(),
    kind: 'INVOICE',
    invoiceNumber: null,
    customerNumber: 1,
    currentCustomerNumber: 1,
    customerName: 'Nordnes Kaffebar',
    customerIdentifier: null,
    customerIdentificationNumber: null,
    kidModulus: null,
    status: 'DRAFT',
    deliveryType: 'NONE',
    deliveryStatus: null,
    paidDate: null,
    issueDate,
    dueDate: addDays(issueDate, 14),
    deliveryDate: issueDate,
    reference: null,
    message: null,
    dueDays: 14,
    paymentDeadline: null,
    bankAccountNumber: null,
    netAmount: 1000,
    vatAmount: 250,
    grossAmount: 1250,
    paidAmount: 0,
    amountDue: 1250,
    reminderAmount: 0,
    disputed: false,
    disputedNote: null,
    creditNote: null,
    creditedInvoice: null,
    deliveries: [],
    version: 1,
    lines: [{ id: 1, ...line, netUnitAmount: 1000, netAmount: 1000, grossAmount: 1250 }],
    ...fields,
  };
}

/** One page with these invoices alone. */
export function invoicePageOf(results: Invoice[]): ResponseOf<typeof listInvoices> {
  const drafts = results.filter(({ status }) => status === 'DRAFT');
  const owed = results.filter(({ status }) => status === 'REGISTERED');
  return {
    count: results.length,
    next: null,
    previous: null,
    preceding: null,
    results,
    summary: {
      drafts: drafts.length,
      registered: owed.length,
      sent: 0,
      sentFrom: null,
      sentTo: null,
      outstanding: owed.length,
      outstandingAmount: owed.reduce((sum, { amountDue }) => sum + amountDue, 0),
      overdue: 0,
      overdueAmount: 0,
      failed: results.filter(({ deliveryStatus }) => deliveryStatus === 'FAILED').length,
      queueable: {
        drafts: drafts.length,
        emails: drafts.filter(({ deliveryType }) => deliveryType === 'EMAIL').length,
        grossAmount: drafts.reduce((sum, { grossAmount }) => sum + grossAmount, 0),
      },
    },
  };
}

/** The data of a company while a screen is tried. */
export interface Company {
  session: Session;
  profile: Profile;
  customers: Customer[];
  invoices: Invoice[];
}

export function newCompany(features: ReadonlySet<Feature>): Company {
  return { session: sessionWith(features), profile: PROFILE, customers: [], invoices: [] };
}

type Usual = readonly [Endpoint, (input: never) => unknown];

function usual<E extends Endpoint>(
  endpoint: E,
  answer: (input: ParsedOf<E>) => ResponseOf<E> | void,
): Usual {
  return [endpoint, answer];
}

function found<T>(items: readonly T[], isIt: (item: T) => boolean): T {
  const item = items.find(isIt);
  if (!item) throw new AppError('not_found');
  return item;
}

function customerByNumber(
  { customers }: Company,
  { customerNumber: number }: { readonly customerNumber: number },
): Customer {
  return found(customers, ({ customerNumber }) => customerNumber === number);
}

/** The answers that most screens need, from a company that the test may change at any time. */
export function usualAnswers(company: Company): Usual[] {
  return [
    ...answersOfAccount(company),
    ...answersOfCustomers(company),
    ...answersOfInvoices(company),
  ];
}

function answersOfAccount(company: Company): Usual[] {
  return [
    usual(getSession, () => company.session),
    usual(logout, () => undefined),
    usual(listSessions, () => []),
    usual(listPasskeys, () => []),
    usual(getProfile, () => company.profile),
    usual(updateProfile, ({ body }) => {
      company.profile = {
        ...company.profile,
        ...body,
        version: company.profile.version + 1,
      } as Profile;
      return company.profile;
    }),
    usual(getKidAgreement, () => null),
  ];
}

function answersOfCustomers(company: Company): Usual[] {
  const byNumber = (params: { readonly customerNumber: number }) =>
    customerByNumber(company, params);
  return [
    usual(listCustomers, () => company.customers),
    usual(searchCustomers, ({ query: { query } }) =>
      company.customers.filter(({ name }) => name.toLowerCase().includes(query.toLowerCase())),
    ),
    usual(getCustomer, ({ params }) => byNumber(params)),
    usual(createCustomer, ({ body }) => {
      const made = customerOf(company.customers.length + 1, body as Partial<Customer>);
      company.customers = [...company.customers, made];
      return made;
    }),
    usual(updateCustomer, ({ params, body }) => {
      const before = byNumber(params);
      const { customerNumber } = before;
      const after = { ...before, ...body, customerNumber, version: before.version + 1 } as Customer;
      company.customers = company.customers.map((one) => (one === before ? after : one));
      return after;
    }),
    usual(deleteCustomer, ({ params }) => {
      const gone = byNumber(params);
      company.customers = company.customers.filter((one) => one !== gone);
    }),
    usual(getCustomerEhf, () => ({ status: 'UNKNOWN' as const, checkedAt: null })),
    usual(getPortalSettings, () => ({ enabled: true, showAll: true })),
    usual(getEInvoiceSettings, () => ({
      exempt: false,
      ehfFirst: true,
      dutyFrom: '2027-01-01',
      businessCustomers: 0,
      reachableCustomers: 0,
      banner: null,
    })),
    usual(getEhfCheck, () => null),
    usual(listCustomersEhf, () => []),
    usual(listStatementDeliveries, () => []),
    usual(listCustomerGroups, () => []),
    usual(searchCustomerGroups, () => []),
  ];
}

function answersOfInvoices(company: Company): Usual[] {
  return [
    usual(listInvoiceTemplates, () => []),
    usual(searchInvoiceLines, () => []),
    usual(listProducts, () => ({ count: 0, next: null, previous: null, results: [] })),
    usual(listInvoices, ({ query: { query, status } }) =>
      invoicePageOf(
        company.invoices.filter(
          (invoice) =>
            invoice.customerName.includes(query) && (!status || invoice.status === status),
        ),
      ),
    ),
    usual(createInvoices, ({ body }) => {
      const drafts = body.customerNumbers.map((customerNumber) =>
        invoiceOf({
          customerNumber,
          customerName: customerByNumber(company, { customerNumber }).name,
        }),
      );
      company.invoices = [...drafts, ...company.invoices];
      return drafts;
    }),
    usual(getInvoice, ({ params: { invoiceStr } }) =>
      found(
        company.invoices,
        ({ uuid, invoiceNumber }) => uuid === invoiceStr || invoiceNumber === invoiceStr,
      ),
    ),
    usual(getInvoiceHistory, () => []),
  ];
}
