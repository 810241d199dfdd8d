import type { DeliveryType } from '../../domain/delivery/delivery.schema.ts';
import type { Issuer } from '../company/profile.service.ts';
import type { Config } from '../config.ts';
import type { Context } from '../context.ts';
import type { Carrier, CountedDrafts } from './carrier.ts';
import { ehfCarrier } from './carriers/ehf/ehf.carrier.ts';
import { emailCarrier } from './carriers/email/email.carrier.ts';
import { AppError } from '../errors.ts';
import type { InvoiceRow } from '../invoice/invoice.rows.ts';
import { findDraftCustomerIds } from '../invoice/invoice.service.ts';
import type { Db } from '../platform/db/database.ts';

/** Every way to bring a document to its recipient: a new one is a line here. */
export const CARRIERS: readonly Carrier[] = [emailCarrier, ehfCarrier];

/** The carrier of this type. @throws Error when nothing does */
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

/** The types of delivery that something is sent as. */
export function sentTypes(config: Config): readonly DeliveryType[] {
  return carriersInUse(config).map(({ type }) => type);
}

/** Whether a delivery of this type depends on what only somebody else knows of its receiver. */
export function isLookedUp(config: Config, type: DeliveryType): boolean {
  return carrierInUse(config, type)?.lookUp !== undefined;
}

/**
 * Asks around about the receivers of a company's drafts, or of these of them. Before the transaction that registers
 * them, because nobody's numbers shall wait for the network. What is not answered in time is unknown, and looked up
 * anew when the invoice leaves.
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

/** As `lookUpReceivers`, for customers who are to have a draft of this type that is registered at once. */
export async function lookUpCustomers(
  context: Context,
  companyId: number,
  { type, customerIds }: { readonly type: DeliveryType; readonly customerIds: readonly number[] },
): Promise<void> {
  await carrierInUse(context.config, type)?.lookUp?.(context, companyId, customerIds);
}

/**
 * Why these drafts cannot be delivered as they ask for, as things stand in this transaction; in their order, null for
 * one that can.
 */
export async function judgeDeliveries(
  { config }: Pick<Context, 'config'>,
  db: Db,
  issuer: Issuer,
  drafts: readonly InvoiceRow[],
): Promise<readonly (AppError | null)[]> {
  const found = new Map<InvoiceRow, AppError | null>();
  // A credit note is issued whatever becomes of it: its invoice is cancelled by it.
  const sent = drafts.filter(
    ({ kind, deliveryType }) => kind !== 'CREDIT_NOTE' && deliveryType !== 'NONE',
  );
  for (const [type, own] of Map.groupBy(sent, ({ deliveryType }) => deliveryType)) {
    const carrier = carrierInUse(config, type);
    const obstacles = carrier
      ? await findDraftObstacles(carrier, db, issuer, own)
      : own.map(() => new AppError('delivery_type_unavailable', { subject: type }));
    own.forEach((draft, index) => found.set(draft, obstacles[index] ?? null));
  }
  return drafts.map((draft) => found.get(draft) ?? null);
}

async function findDraftObstacles(
  carrier: Carrier,
  db: Db,
  issuer: Issuer,
  drafts: readonly InvoiceRow[],
): Promise<readonly (AppError | null)[]> {
  if (carrier.findDraftObstacles) return carrier.findDraftObstacles(db, issuer, drafts);
  return drafts.map(({ buyer }) =>
    carrier.addressOf(buyer) ? null : new AppError(carrier.withoutAddress),
  );
}

/**
 * How many drafts would be registered now, and their sum, as far as is known: of the types whose carriers judge drafts by
 * more than an address. The others are counted in the statement of the list.
 */
export async function countQueueable(
  { config, db }: Pick<Context, 'config' | 'db'>,
  companyId: number,
): Promise<CountedDrafts> {
  let sum: CountedDrafts = { drafts: 0, gross: 0 };
  for (const carrier of carriersInUse(config)) {
    const counted = await carrier.countQueueable?.(db, companyId);
    if (counted) sum = { drafts: sum.drafts + counted.drafts, gross: sum.gross + counted.gross };
  }
  return sum;
}
