import type { InvoiceDocument } from '../../domain/document/invoice-document.ts';
import { isValidOrgNumber } from '../../domain/org-number.ts';
import type { Context } from '../context.ts';
import { findCustomersByIds } from '../customer/customer.service.ts';
import type { Db, Trx } from '../db/database.ts';
import { toDocument } from '../document/to-document.ts';
import { findEhfObstacle } from '../ehf/ehf.ts';
import { findActiveAgreements } from '../ehf-agreement/ehf-agreement.service.ts';
import { AppError } from '../errors.ts';
import type { InvoiceRow } from '../invoice/invoice.rows.ts';
import { findDraftCustomerIds } from '../invoice/invoice.service.ts';
import { findKnownAnswers, findReachability } from '../peppol-records/reachability.service.ts';
import { requireIssuer, type Issuer } from '../profile/profile.service.ts';
import { countDraftsByOrganisation } from './invoice-list.repository.ts';

/** Receivers that are looked up at once, and for how long in all (milliseconds). */
const AT_ONCE = 8;
const PATIENCE = 15_000;

/**
 * Asks the network about the receivers of a company's EHF drafts, or of these of them. Before the transaction that
 * registers them, because nobody's numbers shall wait for the network. What it does not answer in time is
 * unknown, and looked up anew when the invoice leaves.
 */
export async function lookUpReceivers(
  context: Context,
  companyId: number,
  uuids: readonly string[] | null,
): Promise<void> {
  if (!context.network) return;
  const customerIds = await findDraftCustomerIds(context.db, companyId, 'EHF', uuids);
  await lookUpCustomers(context, companyId, customerIds);
}

/** As `lookUpReceivers`, for customers who are to have a draft that is registered at once. */
export async function lookUpCustomers(
  context: Context,
  companyId: number,
  customerIds: readonly number[],
): Promise<void> {
  if (!context.network) return;
  const customers = await findCustomersByIds(context.db, companyId, customerIds);
  const receivers = new Set(
    [...customers.values()].flatMap(({ orgNumber }) => orgNumber ?? []).filter(isValidOrgNumber),
  );
  const deadline = Date.now() + PATIENCE;
  const next = receivers.values();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const orgNumber of next) {
        if (Date.now() > deadline) return;
        await findReachability(context, companyId, orgNumber, 'INVOICE');
      }
    }),
  );
}

/**
 * Why these drafts cannot be delivered as they ask for, as things stand in this transaction; in their order, null for
 * one that can.
 */
export async function judgeDeliveries(
  { network }: Pick<Context, 'network'>,
  trx: Trx,
  issuer: Issuer,
  drafts: readonly InvoiceRow[],
): Promise<readonly (AppError | null)[]> {
  const isEhf = drafts.some(({ deliveryType }) => deliveryType === 'EHF');
  const judgeEhf = network && isEhf ? await ehfJudge(trx, issuer) : unavailable;
  return drafts.map((draft) => {
    const { kind, deliveryType, buyer } = draft;
    // A credit note is issued whatever becomes of it: its invoice is cancelled by it.
    if (kind === 'CREDIT_NOTE') return null;
    switch (deliveryType) {
      case 'NONE':
        return null;
      case 'EMAIL':
        return buyer.email ? null : new AppError('recipient_without_email');
      case 'EHF':
        return judgeEhf(draft);
      default:
        return unavailable(draft);
    }
  });
}

function unavailable({ deliveryType }: InvoiceRow): AppError {
  return new AppError('delivery_type_unavailable', { subject: deliveryType });
}

async function ehfJudge(db: Db, issuer: Issuer): Promise<(draft: InvoiceRow) => AppError | null> {
  const { companyId } = issuer;
  const hasAgreement = (await findActiveAgreements(db, [companyId])).has(companyId);
  const answers = await findKnownAnswers(db, companyId, 'INVOICE');
  return (draft) => {
    if (!hasAgreement) return new AppError('ehf_not_agreed');
    const obstacle = findEhfObstacle(previewOf(draft, issuer));
    if (obstacle) return new AppError('ehf_not_possible', { subject: obstacle });
    return canTake(answers, draft.buyer.orgNumber) ? null : new AppError('recipient_without_ehf');
  };
}

/** What would be issued; any number will do to ask whether EHF can say it. */
function previewOf(draft: InvoiceRow, issuer: Issuer): InvoiceDocument {
  return { ...toDocument(draft, issuer), invoiceNumber: 1 };
}

/**
 * How many EHF drafts would be registered now, and their sum in øre with VAT, as far as is known: in the terms of
 * `findEhfObstacle` (server/ehf/ehf.ts), without reading the drafts.
 */
export async function countQueueableEhf(
  { db, network }: Context,
  companyId: number,
): Promise<{ readonly drafts: number; readonly gross: number }> {
  const none = { drafts: 0, gross: 0 };
  if (!network || !(await findActiveAgreements(db, [companyId])).has(companyId)) return none;
  const { seller } = await requireIssuer(db, companyId);
  if (!isValidOrgNumber(seller.orgNumber)) return none;
  const filter = { deliveryType: 'EHF', withVat: seller.vatRegistered } as const;
  const counted = await countDraftsByOrganisation(db, companyId, filter);
  if (counted.length === 0) return none;
  const answers = await findKnownAnswers(db, companyId, 'INVOICE');
  return counted
    .filter(({ orgNumber }) => isValidOrgNumber(orgNumber ?? '') && canTake(answers, orgNumber))
    .reduce(
      (sum, { drafts, gross }) => ({
        drafts: sum.drafts + drafts,
        gross: sum.gross + gross,
      }),
      none,
    );
}

/** What nobody knows is not no. */
function canTake(answers: ReadonlyMap<string, string>, orgNumber: string | null): boolean {
  const answer = answers.get(orgNumber ?? '');
  return answer === undefined || answer === 'REACHABLE';
}
