import {
  dutyReasonOf,
  isAskedAbout,
  verdictOf,
  type DutyReason,
} from '../../domain/einvoice/einvoice-duty.ts';
import type {
  DocumentEInvoice,
  Evidence,
  InvoiceEInvoice,
} from '../../domain/einvoice/einvoice.schema.ts';
import type { HistoryEvent } from '../../domain/history/history.schema.ts';
import type { NumberOrUuid } from '../../domain/invoice/invoice.schema.ts';
import { findIssuer } from '../company/profile.repository.ts';
import type { Actor, Context } from '../context.ts';
import { findDeliveries } from '../delivery/delivery.repository.ts';
import { AppError } from '../errors.ts';
import { requireInvoice } from '../invoice/invoice.repository.ts';
import { SYSTEM } from '../invoice/history.repository.ts';
import type { InvoiceRow } from '../invoice/invoice.rows.ts';
import { findEvidence, findFrozenReason, type EvidenceRow } from './evidence.repository.ts';
import { asKnownToGo } from './ehf-first.service.ts';
import { findDutyReasons } from './evidence.service.ts';

/** Describes an invoice, a credit note or a draft as an e-invoice (EINV-2). */
export async function describeEInvoice(
  context: Pick<Context, 'config' | 'db'>,
  invoice: InvoiceRow,
): Promise<InvoiceEInvoice> {
  if (invoice.status === 'DRAFT') return describeDraft(context, invoice);
  const { asked: _, ...described } = await describeRegistered(context, invoice);
  return { ...described, willBeSentAs: null };
}

/** The same of a document, with all evidence about it. @throws AppError not_found, draft_without_evidence */
export async function getEInvoice(
  context: Context,
  { companyId }: Actor,
  name: NumberOrUuid,
): Promise<DocumentEInvoice> {
  const invoice = await requireInvoice(context.db, companyId, name);
  if (invoice.status === 'DRAFT') throw new AppError('draft_without_evidence');
  return describeRegistered(context, invoice);
}

async function describeDraft(
  context: Pick<Context, 'config' | 'db'>,
  draft: InvoiceRow,
): Promise<InvoiceEInvoice> {
  const { db } = context;
  const { companyId, id } = draft;
  const reasons = await findDutyReasons(context, db, companyId, [draft]);
  const reason = reasons.get(id) ?? 'BUYER_WITHOUT_NUMBER';
  const issuer = await findIssuer(db, companyId);
  const going = issuer ? await asKnownToGo(context, issuer, draft) : draft;
  return {
    ...dutyOf(reason),
    willBeSentAs: going.deliveryType,
    verdict: null,
    evidence: null,
  };
}

async function describeRegistered(
  { db }: Pick<Context, 'db'>,
  invoice: InvoiceRow,
): Promise<DocumentEInvoice> {
  const { companyId, id } = invoice;
  const reason = (await findFrozenReason(db, invoice)) ?? reasonBefore(invoice);
  if (!isAskedAbout(reason)) {
    return { ...dutyOf(reason), verdict: null, evidence: null, asked: [] };
  }
  const asked = (await findEvidence(db, companyId, id)).map(present);
  const evidence =
    asked.findLast(({ outcome }) => outcome !== 'UNKNOWN' && outcome !== 'NOT_ASKED') ??
    asked[0] ??
    null;
  const deliveries = (await findDeliveries(db, companyId, [id])).get(id) ?? [];
  const isSentAsEhf = deliveries.some(
    ({ deliveryType, status }) => deliveryType === 'EHF' && status !== 'FAILED',
  );
  const verdict = verdictOf(isSentAsEhf, evidence?.outcome ?? null);
  return { ...dutyOf(reason), verdict, evidence, asked };
}

/** The look-ups of a document as events of its history, newest first; none while `einvoice` is off (EINV-4). */
export async function findLookUps(
  { config, db }: Pick<Context, 'config' | 'db'>,
  companyId: number,
  invoiceId: number,
): Promise<HistoryEvent[]> {
  if (!config.features.has('einvoice')) return [];
  const kept = await findEvidence(db, companyId, invoiceId);
  return kept.flatMap(({ keptAt, outcome, publisher }) =>
    outcome === 'NOT_ASKED'
      ? []
      : [
          {
            at: keptAt.toISOString(),
            kind: 'LOOKED_UP',
            by: SYSTEM,
            details: { outcome, publisher },
          },
        ],
  );
}

/** The reason of a document that a version before this one registered, which was before 2027. */
function reasonBefore({ buyer: { country, orgNumber } }: InvoiceRow): DutyReason {
  return dutyReasonOf({ isPrivate: false, country, orgNumber, isExempt: false, day: '2026-12-31' });
}

function dutyOf(reason: DutyReason): Pick<InvoiceEInvoice, 'duty' | 'reason'> {
  return { duty: reason === 'BUSINESS', reason };
}

function present(row: EvidenceRow): Evidence {
  const { outcome, participant, documentType, network, publisher, cause, askedAt } = row;
  const at = askedAt?.toISOString() ?? null;
  return { outcome, participant, documentType, network, publisher, cause, askedAt: at };
}
