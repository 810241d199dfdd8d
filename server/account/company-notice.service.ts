import { findContact, findScreenUrl } from '../company/profile.service.ts';
import type { Context } from '../context.ts';
import { handlerOf, type JobHandler } from '../platform/jobs/job.ts';
import { noticeJob } from '../platform/jobs/jobs.ts';
import { type Letter, renderMail } from '../platform/mail/layout.ts';
import { type Envelope, sendNotice } from '../platform/mail/notice.ts';
import { findOwnerAddress } from './account.service.ts';
import { findOwnerAddresses } from './member.service.ts';

interface Notice extends Envelope {
  readonly companyId: number;
  /** All owners; the profile's address, and with `members` all owners; or these addresses. */
  readonly to: 'OWNERS' | 'COMPANY' | readonly string[];
  /** The screen that the letter leads to. */
  readonly path: string;
}

/**
 * Mails a notice about a company.
 * @param write makes the letter, which begins with the company's name unless `about` is null; null mails nothing
 */
export async function notifyCompany(
  context: Context,
  { path, to, ...notice }: Notice,
  write: (url: string, company: string | null) => Letter | null,
): Promise<void> {
  const { db } = context;
  const { companyId } = notice;
  const { name } = await findContact(db, companyId);
  const letter = write(await findScreenUrl(context, companyId, path), name);
  if (letter === null) return;
  const addresses = typeof to === 'string' ? await findAddresses(context, companyId, to) : to;
  await sendNotice(context, { ...notice, addresses }, renderMail({ about: name, ...letter }));
}

/** Each address is there once; the profile's, if there is one, is the first. */
async function findAddresses(
  { config, db }: Context,
  companyId: number,
  to: 'OWNERS' | 'COMPANY',
): Promise<string[]> {
  if (to === 'OWNERS') return findOwnerAddresses(db, companyId);
  const address = await findOwnerAddress(db, companyId);
  const owners = config.features.has('members') ? await findOwnerAddresses(db, companyId) : [];
  if (address === null) return owners;
  // The profile's address may have other capitals.
  return [address, ...owners.filter((owner) => owner !== address.toLowerCase())];
}

/** The job that tries a notice again at one of its addresses. */
export function noticeJobs(context: Context): JobHandler[] {
  return [
    handlerOf(
      noticeJob,
      async ({ companyId, address, key, content }) => {
        const addresses = await findAddresses(context, companyId, 'COMPANY');
        // Nothing is mailed to an owner who is none any more (MEM-9).
        if (!addresses.some((one) => one.toLowerCase() === address.toLowerCase())) return;
        await sendNotice(context, { companyId, addresses: [address], key }, content);
      },
      { feature: 'members' },
    ),
  ];
}
