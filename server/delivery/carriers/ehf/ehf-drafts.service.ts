import type { InvoiceDocument } from '../../../../domain/document/invoice-document.ts';
import { isValidOrgNumber } from '../../../../domain/parties.ts';
import type { Context } from '../../../context.ts';
import { findCustomersByIds } from '../../../customer/customer.service.ts';
import type { Db } from '../../../platform/db/database.ts';
import { toDocument } from '../../../document/to-document.ts';
import { findEhfObstacle } from '../../../document/ehf/ehf.ts';
import { findActiveAgreements } from './ehf-agreement.service.ts';
import { AppError } from '../../../errors.ts';
import type { InvoiceRow } from '../../../invoice/invoice.rows.ts';
import { countDraftsByOrganisation } from '../../../invoice/invoice.service.ts';
import { findKnownAnswers, findReachability } from './reachability.service.ts';
import { requireIssuer, type Issuer } from '../../../company/profile.service.ts';
import type { CountedDrafts } from '../../carrier.ts';

/** Receivers that are looked up at once, and for how long in all (milliseconds). */
const AT_ONCE = 8;
const PATIENCE = 15_000;

/** Asks the network which of these customers can receive EHF. What it does not answer in time stays unknown. */
export async function lookUpReceivers(
  context: Context,
  companyId: number,
  customerIds: readonly number[],
): Promise<void> {
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

/** Why these drafts cannot be sent as EHF, in their order; null for one that can. */
export async function findDraftObstacles(
  db: Db,
  issuer: Issuer,
  drafts: readonly InvoiceRow[],
): Promise<readonly (AppError | null)[]> {
  const { companyId } = issuer;
  if (!(await findActiveAgreements(db, [companyId])).has(companyId)) {
    return drafts.map(() => new AppError('ehf_not_agreed'));
  }
  const answers = await findKnownAnswers(db, companyId, 'INVOICE');
  return drafts.map((draft) => {
    const obstacle = findEhfObstacle(previewOf(draft, issuer));
    if (obstacle) return new AppError('ehf_not_possible', { subject: obstacle });
    return canTake(answers, draft.buyer.orgNumber) ? null : new AppError('recipient_without_ehf');
  });
}

/** The document as it would be issued; its number does not matter for whether EHF can express it. */
function previewOf(draft: InvoiceRow, issuer: Issuer): InvoiceDocument {
  return { ...toDocument(draft, issuer), invoiceNumber: 1 };
}

/**
 * How many EHF drafts would be registered now, and their sum, as far as is known: in the terms of `findEhfObstacle`
 * (server/document/ehf/ehf.ts), without reading the drafts.
 */
export async function countQueueable(db: Db, companyId: number): Promise<CountedDrafts> {
  const none = { drafts: 0, gross: 0 };
  if (!(await findActiveAgreements(db, [companyId])).has(companyId)) return none;
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

/** An unknown receiver is not refused. */
function canTake(answers: ReadonlyMap<string, string>, orgNumber: string | null): boolean {
  const answer = answers.get(orgNumber ?? '');
  return answer === undefined || answer === 'REACHABLE';
}
