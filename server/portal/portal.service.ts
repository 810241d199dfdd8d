import { PAGE_SIZE } from '../../domain/api/pages.ts';
import { todayInOslo } from '../../domain/date.ts';
import { toLinkSeller } from '../../domain/link-seller.ts';
import { amountDue } from '../../domain/invoice/claim.ts';
import { oreToKroner } from '../../domain/money.ts';
import { ibanOf, invoiceAddressesOf } from '../../domain/parties.ts';
import { portalStateOf, toPayOf } from '../../domain/portal/portal-state.ts';
import type { PortalInvoice, PortalInvoices } from '../../domain/portal/portal.schema.ts';
import { findContact } from '../company/profile.service.ts';
import type { Context } from '../context.ts';
import { findCustomersByIds, type CustomerRow } from '../customer/customer.repository.ts';
import { logoOf } from '../document/document-file.service.ts';
import { findDocument } from '../document/show-document.service.ts';
import { AppError } from '../errors.ts';
import { openLink } from '../invoice-link/invoice-link.service.ts';
import type { OpenLink } from '../invoice-link/invoice-link.repository.ts';
import { getInvoiceById } from '../invoice/invoice.repository.ts';
import type { InvoiceRow } from '../invoice/invoice.rows.ts';
import { hexOf } from '../platform/crypto.ts';
import { linkConfirmations } from '../platform/http/link-confirmation.ts';
import { pagesBeside } from '../platform/http/paging.ts';
import { type PortalFile, portalFilesOf } from './portal-documents.service.ts';
import { countOfCustomer, findOfCustomer, listOfCustomer } from './portal.repository.ts';

/** A browser stays confirmed for 24 hours (PORT-11). */
export const CONFIRMATIONS = linkConfirmations({
  cookie: 'faktur_kunde',
  purpose: 'invoice-link-confirmed',
  seconds: 24 * 60 * 60,
  before: ['/api/portal', '/kunde'],
});

/** A link with its invoice, and the customer whose other invoices it may show. */
interface Visit {
  readonly link: OpenLink;
  /** The path of the link's page. */
  readonly base: string;
  readonly invoice: InvoiceRow;
  /** Null when other invoices are never shown. */
  readonly customer: Reachable | null;
  readonly isConfirmed: boolean;
}

/** A customer who can get a code. */
interface Reachable extends CustomerRow {
  readonly address: string;
}

/** The link of a token, and what this browser may see there. @throws AppError not_found */
export async function visit(
  { config, db }: Context,
  token: string,
  confirmation: string | undefined,
): Promise<Visit> {
  const link = await openLink({ db }, token);
  const invoice = await getInvoiceById(db, link.companyId, link.invoiceId);
  const customer = await findReachable({ db }, link, invoice);
  const isConfirmed =
    customer !== null &&
    CONFIRMATIONS.holds(config.secretKey, boundBy(link, customer), confirmation);
  return { link, base: `/kunde/${token}/`, invoice, customer, isConfirmed };
}

/** The customer of a link, where its page leads to the other invoices: one that is there, with an address. */
export async function findReachable(
  { db }: Pick<Context, 'db'>,
  { companyId, showAll }: OpenLink,
  { customerId }: Pick<InvoiceRow, 'customerId'>,
): Promise<Reachable | null> {
  if (!showAll || customerId === null) return null;
  const found = (await findCustomersByIds(db, companyId, [customerId])).get(customerId);
  const [address] = found ? invoiceAddressesOf(found) : [];
  if (!found || address === undefined) return null;
  return { ...found, address };
}

/** Renewing the link ends a confirmation, and so does another address of the customer. */
export function boundBy({ tokenHash }: OpenLink, { address }: Reachable): string {
  return `${hexOf(tokenHash)}\0${address}`;
}

/** An invoice of a visit, with its files. */
export interface ShownInvoice {
  readonly portal: PortalInvoice;
  readonly logo: Uint8Array | null;
}

/** Presents the invoice of a visit (PORT-7). */
export async function showInvoice(
  context: Context,
  { base, invoice, customer, isConfirmed }: Visit,
): Promise<ShownInvoice> {
  const { companyId, uuid } = invoice;
  const { document } = await findDocument(context, companyId, uuid);
  const { email } = await findContact(context.db, companyId);
  const { seller, bankAccountNumber, kid, kidModulus } = document;
  const toPay = toPayOf(invoice);
  const isPayable = toPay > 0;
  const files = await portalFilesOf(context, invoice);
  const portal: PortalInvoice = {
    seller: toLinkSeller(seller, email),
    buyerName: document.buyer.name,
    kind: 'INVOICE',
    invoiceNumber: invoice.invoiceNumber ?? 0,
    issueDate: document.issueDate,
    dueDate: document.dueDate,
    state: portalStateOf(invoice, todayInOslo()),
    grossAmount: oreToKroner(invoice.grossAmount),
    creditedAmount: oreToKroner(invoice.creditedAmount),
    paidAmount: oreToKroner(invoice.paidAmount),
    amountDue: oreToKroner(amountDue(invoice)),
    reminderAmount: oreToKroner(invoice.reminderAmount),
    toPay: oreToKroner(toPay),
    bankAccountNumber: isPayable ? bankAccountNumber : null,
    iban: isPayable ? ibanOf(bankAccountNumber) : null,
    paymentReference: isPayable ? kid : null,
    referenceIsKid: kidModulus !== null,
    message: document.message,
    documents: files.map(({ kind, name, mediaType }, index) => ({
      kind,
      name,
      mediaType,
      path: `${base}dokument/${index + 1}/`,
    })),
    others: customer === null ? 'NONE' : isConfirmed ? 'CONFIRMED' : 'CODE',
  };
  return { portal, logo: await logoOf(context.db, companyId, document)() };
}

/** A file of a visit's invoice, by its place in the list. @throws AppError not_found */
export async function findFile(
  context: Context,
  { invoice }: Visit,
  place: string,
): Promise<PortalFile> {
  const file = /^[1-9]\d*$/.test(place)
    ? (await portalFilesOf(context, invoice))[Number(place) - 1]
    : undefined;
  if (!file) throw new AppError('not_found');
  return file;
}

/** The customer of a confirmed visit. @throws AppError address_unconfirmed */
export function requireConfirmed({ customer, isConfirmed }: Visit): Reachable {
  if (customer === null || !isConfirmed) throw new AppError('address_unconfirmed');
  return customer;
}

/** The visit of another invoice of the same customer, below the link. @throws AppError address_unconfirmed, not_found */
export async function visitOther(
  { db }: Pick<Context, 'db'>,
  visited: Visit,
  number: string,
): Promise<Visit> {
  const { companyId } = visited.link;
  const { id: customerId } = requireConfirmed(visited);
  const isNumber = /^[1-9]\d{0,14}$/.test(number);
  const id = isNumber ? await findOfCustomer(db, companyId, customerId, Number(number)) : null;
  if (id === null) throw new AppError('not_found');
  const invoice = await getInvoiceById(db, companyId, id);
  return { ...visited, invoice, base: `${visited.base}faktura/${number}/` };
}

/** A page of all invoices of the customer (PORT-12). @throws AppError address_unconfirmed */
export async function listInvoices(
  { db }: Pick<Context, 'db'>,
  visited: Visit,
  { token, page }: { readonly token: string; readonly page: number },
): Promise<PortalInvoices> {
  const { companyId } = visited.link;
  const { id: customerId } = requireConfirmed(visited);
  const today = todayInOslo();
  const rows = await listOfCustomer(db, companyId, customerId, page);
  const count = await countOfCustomer(db, companyId, customerId);
  const results = rows.map((row): PortalInvoices['results'][number] => ({
    kind: row.kind,
    invoiceNumber: row.invoiceNumber,
    issueDate: row.issueDate,
    dueDate: row.kind === 'CREDIT_NOTE' ? null : row.dueDate,
    state: portalStateOf(row, today),
    grossAmount: oreToKroner(row.grossAmount),
    toPay: oreToKroner(toPayOf(row)),
    path: `/kunde/${token}/faktura/${row.creditedNumber ?? row.invoiceNumber}/`,
  }));
  const path = `/api/portal/${token}/invoices/`;
  return { results, ...pagesBeside(path, { page }, { count, size: PAGE_SIZE }), count };
}
