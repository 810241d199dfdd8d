import type { DeliveryType } from '../../domain/delivery/delivery.schema.ts';
import type { Issuer } from '../company/profile.repository.ts';
import { findDraftCustomerIds } from '../invoice/drafts.repository.ts';
import type { Config } from '../config.ts';
import type { Context } from '../context.ts';
import type { Carrier, CountedDrafts } from './carrier.ts';
import { ehfCarrier } from './carriers/ehf/ehf.carrier.ts';
import { emailCarrier } from './carriers/email/email.carrier.ts';
import { AppError } from '../errors.ts';
import type { InvoiceRow } from '../invoice/invoice.rows.ts';
import type { Db } from '../platform/db/database.ts';

export const CARRIERS: readonly Carrier[] = [emailCarrier, ehfCarrier];

/** The carrier of this type. @throws Error when there is none */
export function carrierOf(type: DeliveryType): Carrier {
  const carrier = CARRIERS.find((other) => other.type === type);
  if (!carrier) throw new Error(`Nothing is sent as ${type}`);
  return carrier;
}

/** The carriers that the operator has set up. */
function carriersInUse(config: Config): readonly Carrier[] {
  return CARRIERS.filter((carrier) => carrier.isOn(config));
}

function carrierInUse(config: Config, type: DeliveryType): Carrier | undefined {
  return carriersInUse(config).find((carrier) => carrier.type === type);
}

/** The delivery types whose carriers are set up. */
export function sentTypes(config: Config): readonly DeliveryType[] {
  return carriersInUse(config).map(({ type }) => type);
}

/** Whether a delivery of this type requires a look-up of its receiver in the network. */
export function isLookedUp(config: Config, type: DeliveryType): boolean {
  return carrierInUse(config, type)?.lookUp !== undefined;
}

/**
 * Looks up the receivers of a company's drafts, or of the named ones. It runs before the transaction that registers
 * them, because number series must not wait for the network. A receiver without an answer in time stays unknown, and is
 * looked up again when the invoice leaves.
 */
export async function lookUpReceivers(
  context: Context,
  companyId: number,
  uuids: readonly string[] | null,
): Promise<void> {
  for (const carrier of carriersInUse(context.config)) {
    if (!carrier.lookUp) continue;
    const customerIds = await findDraftCustomerIds(context.db, companyId, carrier.type, uuids);
    await carrier.lookUp(context, companyId, customerIds);
  }
}

/** Like `lookUpReceivers`, for customers whose drafts of this type will be registered at once. */
export async function lookUpCustomers(
  context: Context,
  companyId: number,
  { type, customerIds }: { readonly type: DeliveryType; readonly customerIds: readonly number[] },
): Promise<void> {
  await carrierInUse(context.config, type)?.lookUp?.(context, companyId, customerIds);
}

/** For each draft, the reason why it cannot be delivered by its delivery type, or null. */
export async function judgeDeliveries(
  { config }: Pick<Context, 'config'>,
  db: Db,
  issuer: Issuer,
  drafts: readonly InvoiceRow[],
): Promise<readonly (AppError | null)[]> {
  const found = new Map<InvoiceRow, AppError | null>();
  // A credit note is issued even if it cannot be delivered: it cancels its invoice.
  const sent = drafts.filter(
    ({ kind, deliveryType }) => kind !== 'CREDIT_NOTE' && deliveryType !== 'NONE',
  );
  for (const [type, own] of Map.groupBy(sent, ({ deliveryType }) => deliveryType)) {
    const carrier = carrierInUse(config, type);
    const obstacles = carrier
      ? await findDraftObstacles(carrier, { config, db }, issuer, own)
      : own.map(() => new AppError('delivery_type_unavailable', { subject: type }));
    own.forEach((draft, index) => found.set(draft, obstacles[index] ?? null));
  }
  return drafts.map((draft) => found.get(draft) ?? null);
}

async function findDraftObstacles(
  carrier: Carrier,
  context: Pick<Context, 'config' | 'db'>,
  issuer: Issuer,
  drafts: readonly InvoiceRow[],
): Promise<readonly (AppError | null)[]> {
  if (carrier.findDraftObstacles) return carrier.findDraftObstacles(context, issuer, drafts);
  return drafts.map(({ buyer }) =>
    carrier.addressOf(buyer) ? null : new AppError(carrier.withoutAddress),
  );
}

/**
 * Predicts how many drafts would be registered now, and their sum: of the types whose carriers require more than an
 * address. The statement of the list counts the others.
 */
export async function countQueueable(
  { config, db }: Pick<Context, 'config' | 'db'>,
  companyId: number,
): Promise<CountedDrafts> {
  let sum: CountedDrafts = { drafts: 0, gross: 0 };
  for (const carrier of carriersInUse(config)) {
    const counted = await carrier.countQueueable?.({ config, db }, companyId);
    if (counted) sum = { drafts: sum.drafts + counted.drafts, gross: sum.gross + counted.gross };
  }
  return sum;
}
