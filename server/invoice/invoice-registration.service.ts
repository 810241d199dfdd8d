import { todayInOslo } from '../../domain/date.ts';
import type { DeliveryType } from '../../domain/delivery/delivery.schema.ts';
import { makeAgreedKid, makeKid } from '../../domain/kid.ts';
import type { KidAgreement } from '../../domain/profile/kid-agreement.schema.ts';
import { searchText } from '../../domain/search-text.ts';
import type { Trx } from '../platform/db/database.ts';
import { AppError } from '../errors.ts';
import { advanceSeries, type Issuer } from '../company/profile.service.ts';
import { createCreditNote } from './drafts.service.ts';
import * as registration from './invoice-registration.repository.ts';
import * as repository from './invoice.repository.ts';
import type { InvoiceRow } from './invoice.rows.ts';

export { findBuyerNames, findDrafts } from './invoice-registration.repository.ts';

/** A draft that stays one. */
export interface Skipped {
  readonly draft: InvoiceRow;
  readonly reason: AppError;
}

/** An invoice that has its number. */
export interface Numbered extends InvoiceRow {
  readonly invoiceNumber: number;
}

interface Numbering {
  /** In the order of their numbers. */
  readonly numbered: readonly Numbered[];
  readonly skipped: readonly Skipped[];
  /** With its series where it stands now. */
  readonly issuer: Issuer;
}

/**
 * Gives the next numbers to the drafts that can have one, in their order, and freezes them. The caller
 * holds the issuer; each needs its document before the transaction ends.
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

/** What decides whether and how a draft is registered. */
export interface RegistrationRules {
  /** Why each of the drafts cannot be delivered as it asks for, in their order; null for one that can. */
  readonly obstacles: readonly (AppError | null)[];
  /** The agreement in force. */
  readonly kidAgreement: KidAgreement | null;
}

/** Why a draft cannot be registered, or null. */
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

/** Where an invoice is paid and what it is paid with; no KID where the agreement has none for it. */
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
 * How many of these have a KID of their own. From the first that has none on nobody gets a number: the
 * next would be the same, and the KID with it.
 */
async function countWithKid(
  trx: Trx,
  companyId: number,
  numbered: readonly Numbered[],
): Promise<number> {
  const agreed = numbered.filter(({ kidModulus }) => kidModulus !== null);
  if (agreed.length === 0) return numbered.length;
  const taken = await registration.findTakenKids(trx, companyId, agreed);
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
 * Cancels a registered invoice and makes the draft of the credit note that takes it back (bokføringsforskriften § 5-2-7),
 * to be sent as `deliveryType`. The caller holds the invoice, and nothing of it is paid any more.
 *
 * It is dated today but never before its invoice, so that no VAT is taken back in a term before the one that has it.
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
