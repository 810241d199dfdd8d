import { makeAgreedKid, makeKid } from '../../domain/kid.ts';
import type { KidAgreement } from '../../domain/profile/kid-agreement.schema.ts';
import type { Issuer } from '../company/profile.repository.ts';
import { AppError } from '../errors.ts';
import { findTakenKids } from '../invoice/invoice.repository.ts';
import type { InvoiceRow } from '../invoice/invoice.rows.ts';
import { buyerVatNumberOf } from '../invoice/vat-needs.service.ts';
import type { Db } from '../platform/db/database.ts';
import { reasonsAgainst, type RegistrationRules } from './registration-rules.ts';

/** A draft that was not registered. */
export interface Skipped {
  readonly draft: InvoiceRow;
  readonly reason: AppError;
}

export interface Numbered extends InvoiceRow {
  readonly invoiceNumber: number;
}

/** The drafts that can be registered, with their numbers, and the others with their reasons. Saves nothing. */
export async function judgeDrafts(
  db: Db,
  issuer: Issuer,
  drafts: readonly InvoiceRow[],
  rules: RegistrationRules,
): Promise<{ readonly numbered: readonly Numbered[]; readonly skipped: readonly Skipped[] }> {
  const { obstacles, kidAgreement, buyers } = rules;
  const judged = drafts.map((draft, index) => ({
    draft,
    reason: obstacles[index] ?? reasonsAgainst(draft, issuer, rules)[0] ?? null,
  }));
  const refused = judged.flatMap(({ draft, reason }) => (reason ? [{ draft, reason }] : []));
  const accepted = judged
    .filter(({ reason }) => reason === null)
    .map(({ draft }) => Object.assign(draft, { buyerVatNumber: buyerVatNumberOf(draft, buyers) }));
  const inSeries = inOrder(issuer, accepted, kidAgreement);
  const withKid = await countWithKid(db, issuer.companyId, inSeries);
  const subject = inSeries[withKid]?.invoiceNumber;
  const withoutKid = accepted
    .slice(withKid)
    .map((draft) => ({ draft, reason: new AppError('no_kid_left', { subject }) }));
  return { numbered: inSeries.slice(0, withKid), skipped: [...refused, ...withoutKid] };
}

/** Drafts with the next numbers of the series, and the account and KID to pay each with. */
export function inOrder(
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
export async function countWithKid(
  db: Db,
  companyId: number,
  numbered: readonly Numbered[],
): Promise<number> {
  const agreed = numbered.filter(({ kidModulus }) => kidModulus !== null);
  if (agreed.length === 0) return numbered.length;
  const taken = await findTakenKids(db, companyId, agreed);
  const without = numbered.findIndex(
    ({ kid, kidModulus }) => kidModulus !== null && (kid === null || taken.has(kid)),
  );
  return without < 0 ? numbered.length : without;
}
