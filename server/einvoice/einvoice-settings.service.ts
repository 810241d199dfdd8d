import { DUTY_FROM } from '../../domain/einvoice/einvoice-duty.ts';
import type {
  EInvoiceSettings,
  EInvoiceSettingsForm,
} from '../../domain/einvoice/einvoice.schema.ts';
import type { Actor, Context } from '../context.ts';
import { getAgreement } from '../delivery/carriers/ehf/ehf-agreement.service.ts';
import { findReachable } from '../delivery/carriers/ehf/ehf.repository.ts';
import { countBusinesses } from './ehf-check.repository.ts';
import { findSettings, saveSettings } from './evidence.repository.ts';

/** The company's choices about e-invoices, and the step that it still has to take (EINV-9). */
export async function getSettings(context: Context, actor: Actor): Promise<EInvoiceSettings> {
  const { db, network } = context;
  const { companyId } = actor;
  const { exempt, ehfFirst } = await findSettings(db, companyId);
  const reachable = network ? await findReachable(db, companyId, network.name) : [];
  const { all: businessCustomers, those } = await countBusinesses(db, companyId, reachable);
  const isTold = !exempt && businessCustomers > 0;
  return {
    exempt,
    ehfFirst,
    dutyFrom: DUTY_FROM,
    businessCustomers,
    reachableCustomers: those,
    banner: isTold ? await bannerFor(context, actor) : null,
  };
}

async function bannerFor(context: Context, actor: Actor): Promise<EInvoiceSettings['banner']> {
  if (!context.config.ehf) return 'NO_ACCESS_POINT';
  const { status } = await getAgreement(context, actor);
  if (status === 'ACTIVE') return null;
  return status === 'REQUESTED' ? 'REQUESTED' : 'NO_AGREEMENT';
}

export async function updateSettings(
  context: Context,
  actor: Actor,
  settings: EInvoiceSettingsForm,
): Promise<EInvoiceSettings> {
  await context.db
    .transaction()
    .execute(async (trx) => saveSettings(trx, actor.companyId, settings));
  return getSettings(context, actor);
}
