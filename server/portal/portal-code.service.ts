import { todayInOslo } from '../../domain/date.ts';
import { findContact } from '../company/profile.service.ts';
import type { Context } from '../context.ts';
import {
  type CodeKind,
  countCodeMail,
  mailCode,
  spendCode,
} from '../delivery/link-code.service.ts';
import { AppError } from '../errors.ts';
import { findByUuid, linkCodes } from '../invoice-link/invoice-link.repository.ts';
import { getInvoiceById } from '../invoice/invoice.repository.ts';
import { handlerOf, type JobHandler } from '../platform/jobs/job.ts';
import { type CodeOfLink, portalCodeJob } from '../platform/jobs/jobs.ts';
import { boundBy, CONFIRMATIONS, findReachable, visit } from './portal.service.ts';

const CODES: CodeKind = { purpose: 'invoice-link-code', codes: linkCodes };

/**
 * Mails a code to the first address that the customer has now, or confirms a browser by it (PORT-11). Returns the cookie
 * of the browser that was confirmed.
 * @throws AppError not_found, no_other_invoices, wrong_code, too_many_requests
 */
export async function confirmByCode(
  context: Context,
  token: string,
  code: string | null,
  ip: string,
): Promise<string | null> {
  const { link, customer } = await visit(context, token, undefined);
  if (customer === null) throw new AppError('no_other_invoices');
  const { companyId, uuid: linkUuid } = link;
  if (code === null) {
    await countCodeMail(context, companyId, { address: customer.address, ip });
    await context.jobs.enqueue(context.db, portalCodeJob, { companyId, linkUuid });
    return null;
  }
  await spendCode(context, CODES, link, { code, ip });
  return CONFIRMATIONS.make(context.config.secretKey, boundBy(link, customer));
}

/** The job that mails the codes of links. */
export function portalJobs(context: Context): JobHandler[] {
  return [
    handlerOf(portalCodeJob, async (payload) => sendCode(context, payload), { feature: 'portal' }),
  ];
}

/** Mails nothing when the link was renewed, or the customer lost its address, meanwhile. */
async function sendCode(context: Context, { companyId, linkUuid }: CodeOfLink): Promise<void> {
  const link = await findByUuid(context.db, { companyId, uuid: linkUuid }, todayInOslo());
  if (!link) return;
  const invoice = await getInvoiceById(context.db, companyId, link.invoiceId);
  const customer = await findReachable(context, link, invoice);
  if (!customer) return;
  const { name } = await findContact(context.db, companyId);
  const seller = name ?? invoice.seller?.name ?? 'Faktur';
  await mailCode(context, CODES, link, customer.address, {
    purpose: 'se fakturaene',
    heading: `Fakturaene dine fra ${seller}`,
    why: 'Noen vil se alle fakturaene dine, og vi vil være sikre på at det er deg.',
    after: 'Da ser du fakturaene i ett døgn i samme nettleser.',
  });
}
