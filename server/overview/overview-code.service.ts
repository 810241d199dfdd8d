import type { SharedCode } from '../../domain/overview/overview-link.schema.ts';
import type { Context } from '../context.ts';
import {
  type CodeKind,
  countCodeMail,
  mailCode,
  spendCode,
} from '../delivery/link-code.service.ts';
import { AppError } from '../errors.ts';
import { handlerOf, type JobHandler } from '../platform/jobs/job.ts';
import { type CodeOfLink, overviewCodeJob } from '../platform/jobs/jobs.ts';
import { findLive, linkCodes } from './overview-link.repository.ts';
import { makeConfirmation, nameOf, openLink } from './shared-overview.service.ts';

const CODES: CodeKind = { purpose: 'overview-code', codes: linkCodes };

/**
 * Mails a code to the address of a link, or confirms a browser by it (OVER-12). The answer to a request for a code, and
 * its time, are the same for every address. Returns the cookie of the browser that was confirmed.
 *
 * @throws AppError not_found also for a link that is for no one address, wrong_code, too_many_requests
 */
export async function confirmByCode(
  context: Context,
  token: string,
  { email, code }: SharedCode,
  ip: string,
): Promise<string | null> {
  const link = await openLink(context, token);
  if (link.email === null) throw new AppError('not_found');
  if (code === null) {
    const { companyId, uuid: linkUuid } = link;
    await countCodeMail(context, companyId, { address: email ?? link.email, ip });
    await context.jobs.enqueue(context.db, overviewCodeJob, { companyId, linkUuid, email });
    return null;
  }
  await spendCode(context, CODES, link, { code, ip });
  return makeConfirmation(context.config.secretKey, link);
}

/** The job that mails the codes of links. */
export function overviewJobs(context: Context): JobHandler[] {
  return [
    handlerOf(overviewCodeJob, async (payload) => sendCode(context, payload), {
      feature: 'overview',
    }),
  ];
}

interface Order extends CodeOfLink {
  /** The address as typed; null when it was not asked for. */
  readonly email: string | null;
}

async function sendCode(context: Context, { companyId, linkUuid, email }: Order): Promise<void> {
  const link = await findLive(context.db, companyId, linkUuid);
  if (!link || link.email === null || (email !== null && email !== link.email)) return;
  const company = await nameOf(context.db, link);
  await mailCode(context, CODES, link, link.email, {
    purpose: 'se tallene',
    heading: `Se tallene til ${company}`,
    why: `${company} har delt noen tall med deg, og vil være sikker på at det er du som ser dem.`,
    after: 'Da kan du se tallene i 30 dager i samme nettleser.',
  });
}
