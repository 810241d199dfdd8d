import type { KidAgreement } from '../../domain/profile/kid-agreement.schema.ts';
import type { Issuer } from '../company/profile.repository.ts';
import { kidAgreementInForce } from '../company/profile.service.ts';
import type { Config } from '../config.ts';
import type { Context } from '../context.ts';
import { judgeDeliveries } from '../delivery/carriers-in-use.service.ts';
import { findAttachmentsOf, type Attachments } from '../document/attachment.repository.ts';
import { findSizeObstacle } from '../document/attachment.service.ts';
import { AppError } from '../errors.ts';
import type { InvoiceRow } from '../invoice/invoice.rows.ts';
import { findBuyersVat, findVatObstacle, type BuyersVat } from '../invoice/vat-needs.service.ts';
import type { Db } from '../platform/db/database.ts';

/** The conditions for registering drafts. */
export interface RegistrationRules {
  readonly config: Pick<Config, 'features'>;
  readonly buyers: BuyersVat;
  /** Per draft, in their order: why its delivery type is impossible, or null. */
  readonly obstacles: readonly (AppError | null)[];
  readonly attachments: Attachments;
  readonly kidAgreement: KidAgreement | null;
}

/** Reads the conditions for registering these drafts. */
export async function readRules(
  context: Pick<Context, 'config'>,
  db: Db,
  issuer: Issuer,
  drafts: readonly InvoiceRow[],
): Promise<RegistrationRules> {
  const { companyId } = issuer;
  const ids = drafts.map(({ id }) => id);
  return {
    config: context.config,
    buyers: await findBuyersVat(db, companyId, drafts),
    obstacles: await judgeDeliveries(context, db, issuer, drafts),
    attachments: await findAttachmentsOf(db, companyId, ids),
    kidAgreement: kidAgreementInForce(context.config, issuer),
  };
}

/** The reasons why a draft cannot be registered: INV-12, VAT-5, VAT-6, DOC-28. */
export function reasonsAgainst(
  draft: InvoiceRow,
  { seller }: Issuer,
  { config, buyers, attachments }: Pick<RegistrationRules, 'config' | 'buyers' | 'attachments'>,
): AppError[] {
  const files = attachments.get(draft.id);
  return [
    draft.grossAmount < 0 ? new AppError('negative_total') : null,
    findVatObstacle(config, draft, seller.vatRegistered, buyers),
    files && draft.deliveryType === 'EMAIL' ? findSizeObstacle(draft, files) : null,
  ].filter((reason) => reason !== null);
}
