import type { QueueResult } from '../../domain/invoice/invoice-bulk.schema.ts';
import type { Issuer } from '../company/profile.repository.ts';
import type { Context } from '../context.ts';
import { findCustomersByIds } from '../customer/customer.repository.ts';
import { findActiveAgreements } from '../delivery/carriers/ehf/ehf.repository.ts';
import {
  findKnownAnswers,
  keyOf,
  obstacleToEhf,
} from '../delivery/carriers/ehf/reachability.service.ts';
import type { InvoiceRow } from '../invoice/invoice.rows.ts';
import type { Db } from '../platform/db/database.ts';
import { findSettings } from './evidence.repository.ts';
import type { Asked, DutyReasons } from './evidence.service.ts';

/**
 * The drafts as they are sent: those for e-mail become EHF where the company sends EHF first, the buyer is known to
 * receive it, and EHF can express them (EINV-6). Credit notes go as their invoices went.
 *
 * @param canReceive whether an organisation is known to receive EHF
 */
async function withEhfFirst(
  { config: { features } }: Pick<Context, 'config'>,
  db: Db,
  issuer: Issuer,
  drafts: readonly InvoiceRow[],
  canReceive: (orgNumber: string) => boolean,
): Promise<readonly InvoiceRow[]> {
  const { companyId } = issuer;
  const able = drafts.filter(
    ({ kind, deliveryType, buyer }) =>
      kind === 'INVOICE' &&
      deliveryType === 'EMAIL' &&
      buyer.orgNumber !== null &&
      canReceive(buyer.orgNumber),
  );
  if (able.length === 0 || !features.has('einvoice') || !features.has('ehf')) return drafts;
  if (!(await findActiveAgreements(db, [companyId])).has(companyId)) return drafts;
  if (!(await findSettings(db, companyId)).ehfFirst) return drafts;
  const ids = able.flatMap(({ customerId }) => customerId ?? []);
  const customers = await findCustomersByIds(db, companyId, ids);
  const changed = new Set(
    able.filter(
      (draft) =>
        customers.get(draft.customerId ?? 0)?.ehfFirst === true &&
        obstacleToEhf(draft, issuer) === null,
    ),
  );
  return drafts.map((draft) =>
    changed.has(draft) ? Object.assign({}, draft, { deliveryType: 'EHF' as const }) : draft,
  );
}

/** Whether the network has just said that an organisation receives invoices. */
function isReachable(asked: Asked, orgNumber: string): boolean {
  return asked?.get(keyOf({ orgNumber, documentType: 'INVOICE' }))?.outcome === 'REACHABLE';
}

/** A draft with the delivery type by which it would go now, as far as is known without asking the network. */
export async function asKnownToGo(
  context: Pick<Context, 'config' | 'db'>,
  issuer: Issuer,
  draft: InvoiceRow,
): Promise<InvoiceRow> {
  if (draft.deliveryType !== 'EMAIL' || !context.config.features.has('einvoice')) return draft;
  const known = await findKnownAnswers(context, issuer.companyId);
  const isKnown = (orgNumber: string) => known.get(orgNumber) === 'REACHABLE';
  const [going] = await withEhfFirst(context, context.db, issuer, [draft], isKnown);
  return going ?? draft;
}

/** The drafts with the delivery types by which they go, after the network was asked. */
export async function asTheyGo(
  context: Pick<Context, 'config'>,
  db: Db,
  issuer: Issuer,
  drafts: readonly InvoiceRow[],
  asked: Asked,
): Promise<readonly InvoiceRow[]> {
  return withEhfFirst(context, db, issuer, drafts, (orgNumber) => isReachable(asked, orgNumber));
}

/** Those that go another way than their drafts said. */
export function changedIn(
  drafts: readonly InvoiceRow[],
  registered: readonly InvoiceRow[],
): NonNullable<QueueResult['changed']> {
  const typeOf = new Map(drafts.map(({ id, deliveryType }) => [id, deliveryType]));
  return registered
    .filter(({ id, deliveryType }) => typeOf.get(id) !== deliveryType)
    .map(({ uuid }) => ({ uuid, from: 'EMAIL', to: 'EHF' }));
}

/** The numbers of the customers who can receive EHF, and would get these another way (EINV-7). */
export function findOtherWay(
  drafts: readonly InvoiceRow[],
  { reasons, asked }: { readonly reasons: DutyReasons; readonly asked: Asked },
): number[] {
  return drafts
    .filter(
      ({ id, deliveryType, buyer }) =>
        deliveryType !== 'EHF' &&
        reasons.get(id) !== 'SELLER_EXEMPT' &&
        isReachable(asked, buyer.orgNumber ?? ''),
    )
    .map(({ buyer }) => buyer.customerNumber);
}
