import { todayInOslo } from '../../domain/date.ts';
import type { DeliveryType } from '../../domain/delivery/delivery.schema.ts';
import { makeAgreedKid, makeKid } from '../../domain/kid.ts';
import type { KidAgreement } from '../../domain/profile/profile.schema.ts';
import { searchText } from '../../domain/search-text.ts';
import type { Db, Trx } from '../platform/db/database.ts';
import { AppError } from '../errors.ts';
import { advanceSeries, type Issuer } from '../company/profile.service.ts';
import { createCreditNote } from './drafts.service.ts';
import * as registration from './invoice-registration.repository.ts';
import * as repository from './invoice.repository.ts';
import type { InvoiceRow } from './invoice.rows.ts';

export { findBuyerNames, findDrafts } from './invoice-registration.repository.ts';

/** A draft that was not registered. */
export interface Skipped {
  readonly draft: InvoiceRow;
  readonly reason: AppError;
}

/** An invoice with its new number. */
export interface Numbered extends InvoiceRow {
  readonly invoiceNumber: number;
}

interface Numbering {
  /** Ordered by number. */
  readonly numbered: readonly Numbered[];
  readonly skipped: readonly Skipped[];
  /** With its number series after these invoices. */
  readonly issuer: Issuer;
}

/**
 * Gives the next numbers to the drafts that can be registered, in their order, and freezes them (INV-14, INV-15). The caller holds
 * the issuer, and must issue each document before the transaction ends.
 */
export async function numberDrafts(
  trx: Trx,
  issuer: Issuer,
  drafts: readonly InvoiceRow[],
  { obstacles, kidAgreement }: RegistrationRules,
): Promise<Numbering> {
  const judged = drafts.map((draft, index) => ({
    draft,
    reason: obstacles[index] ?? reasonAgainst(draft),
  }));
  const refused = judged.flatMap(({ draft, reason }) => (reason ? [{ draft, reason }] : []));
  const accepted = judged.filter(({ reason }) => reason === null).map(({ draft }) => draft);
  const inSeries = inOrder(issuer, accepted, kidAgreement);
  const withKid = await countWithKid(trx, issuer.companyId, inSeries);
  const reason = new AppError('no_kid_left', { subject: inSeries[withKid]?.invoiceNumber });
  const withoutKid = accepted.slice(withKid).map((draft) => ({ draft, reason }));
  const skipped = [...refused, ...withoutKid];
  const numbered = inSeries.slice(0, withKid);
  const last = numbered.at(-1);
  if (!last) return { numbered, skipped, issuer };
  const { invoiceNumber: lastInvoiceNumber } = last;
  await advanceSeries(trx, issuer.companyId, lastInvoiceNumber);
  const { companyId, seller } = issuer;
  await registration.saveRegistrations(trx, companyId, seller, numbered.map(toRegistration));
  return { numbered, skipped, issuer: { ...issuer, lastInvoiceNumber } };
}

/** The conditions for registering drafts. */
export interface RegistrationRules {
  /** Per draft, in their order: why its delivery type is impossible, or null. */
  readonly obstacles: readonly (AppError | null)[];
  /** The KID agreement in force. */
  readonly kidAgreement: KidAgreement | null;
}

/** All reasons why a draft cannot be registered as the next one. */
export async function findReasonsAgainst(
  db: Db,
  issuer: Issuer,
  draft: InvoiceRow,
  { obstacles, kidAgreement }: RegistrationRules,
): Promise<AppError[]> {
  const inSeries = inOrder(issuer, [draft], kidAgreement);
  const hasKid = (await countWithKid(db, issuer.companyId, inSeries)) > 0;
  const subject = inSeries[0]?.invoiceNumber;
  const withoutKid = hasKid ? null : new AppError('no_kid_left', { subject });
  return [...obstacles, reasonAgainst(draft), withoutKid].filter((reason) => reason !== null);
}

/** The reason why a draft cannot be registered, or null (INV-12). */
function reasonAgainst({ grossAmount }: InvoiceRow): AppError | null {
  if (grossAmount < 0) return new AppError('negative_total');
  return null;
}

function inOrder(
  issuer: Issuer,
  drafts: readonly InvoiceRow[],
  agreement: KidAgreement | null,
): Numbered[] {
  const { lastInvoiceNumber, startInvoiceNumber, seller, bankAccountNumber } = issuer;
  const first = lastInvoiceNumber === null ? startInvoiceNumber : lastInvoiceNumber + 1;
  return drafts.map((draft, index) => {
    const invoiceNumber = first + index;
    const customer = draft.buyer.customerNumber;
    const payee =
      draft.kind === 'INVOICE'
        ? payeeOf(agreement, { bankAccountNumber, customer, invoiceNumber })
        : { bankAccountNumber, kid: null, kidModulus: null };
    return { ...draft, ...payee, invoiceNumber, seller, status: 'REGISTERED' };
  });
}

type Payee = Pick<InvoiceRow, 'bankAccountNumber' | 'kid' | 'kidModulus'>;

interface Payable {
  readonly bankAccountNumber: string;
  readonly customer: number;
  readonly invoiceNumber: number;
}

/** The account and the KID to pay with; the KID is null when the agreement has no room for the number (KID-5, KID-6). */
function payeeOf(
  agreement: KidAgreement | null,
  { bankAccountNumber, customer, invoiceNumber }: Payable,
): Payee {
  if (!agreement) {
    return { bankAccountNumber, kid: makeKid(customer, invoiceNumber), kidModulus: null };
  }
  const { account, modulus } = agreement;
  const kid = makeAgreedKid(agreement, customer, invoiceNumber);
  return { bankAccountNumber: account, kid, kidModulus: modulus };
}

/**
 * How many of these, from the first, have a unique KID. The first without one ends the numbering: a skipped number
 * would be given to the next draft, which would get the same KID.
 */
async function countWithKid(
  db: Db,
  companyId: number,
  numbered: readonly Numbered[],
): Promise<number> {
  const agreed = numbered.filter(({ kidModulus }) => kidModulus !== null);
  if (agreed.length === 0) return numbered.length;
  const taken = await registration.findTakenKids(db, companyId, agreed);
  const without = numbered.findIndex(
    ({ kid, kidModulus }) => kidModulus !== null && (kid === null || taken.has(kid)),
  );
  return without < 0 ? numbered.length : without;
}

function toRegistration(numbered: Numbered): registration.Registration {
  const { id, invoiceNumber, kid, kidModulus, bankAccountNumber, buyer } = numbered;
  const text = searchText(invoiceNumber, buyer.name, buyer.orgNumber, kid);
  return { id, invoiceNumber, kid, kidModulus, bankAccountNumber, buyer, searchText: text };
}

/**
 * Cancels a registered invoice and creates the draft of its credit note (bokføringsforskriften § 5-2-7; INV-24, INV-25), to be sent
 * as `deliveryType`. The caller holds the invoice, and none of it is paid any more.
 *
 * The credit note is dated today but never before its invoice: the VAT must not be reversed in an earlier term than
 * the one that declared it.
 */
export async function creditInvoice(
  trx: Trx,
  companyId: number,
  invoice: InvoiceRow,
  deliveryType: DeliveryType,
): Promise<InvoiceRow> {
  await repository.cancel(trx, companyId, invoice.id);
  const today = todayInOslo();
  const issueDate = invoice.issueDate > today ? invoice.issueDate : today;
  const noteId = await createCreditNote(trx, { ...invoice, deliveryType }, issueDate);
  return repository.getInvoiceById(trx, companyId, noteId);
}
