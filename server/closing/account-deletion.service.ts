import { randomUUID } from 'node:crypto';

import { findAccountUuid, lockAccount, removeAccount } from '../account/account.repository.ts';
import { isOnlyOwner } from '../account/member-ending.repository.ts';
import { findMemberships, type MembershipRow } from '../account/member.repository.ts';
import { endMembership } from '../account/member.service.ts';
import { deleteChallengesOf } from '../account/session.repository.ts';
import { holdCompany } from '../company/company-state.repository.ts';
import { findCompany } from '../company/profile.repository.ts';
import type { Caller, Context } from '../context.ts';
import { AppError } from '../errors.ts';
import { exportLinks } from '../export/shared-file.service.ts';
import { overviewLinks } from '../overview/overview-link.service.ts';
import type { Trx } from '../platform/db/database.ts';
import { closingMailJob } from '../platform/jobs/jobs.ts';
import { deleteCompany } from './deletion.service.ts';

/**
 * Deletes an account with all that logs it in (CLO-10). Histories keep its address, as the control trail.
 * @throws AppError other_account, only_owner, changed_meanwhile
 */
export async function deleteAccount(
  context: Context,
  { accountId, email }: Caller,
  confirm: string,
): Promise<void> {
  const { db, jobs, log } = context;
  if (confirm !== email) throw new AppError('other_account', { field: 'confirm' });
  await db.transaction().execute(async (trx) => {
    await lockAccount(trx, accountId);
    const uuid = await findAccountUuid(trx, accountId);
    for (const membership of await findMemberships(trx, email)) {
      await leave(context, trx, membership, uuid);
    }
    await deleteChallengesOf(trx, email);
    await removeAccount(trx, accountId);
    const order = { mail: 'ACCOUNT_DELETED', email, messageUuid: randomUUID() } as const;
    await jobs.enqueue(trx, closingMailJob, order);
    log.info({ accountId }, 'account deleted');
  });
}

/** Ends a membership. A company without a number goes with its only owner. */
async function leave(
  context: Context,
  trx: Trx,
  { companyId, uuid, role }: MembershipRow,
  accountUuid: string,
): Promise<void> {
  if (!(await holdCompany(trx, companyId))) throw new AppError('changed_meanwhile');
  if (role === 'OWNER' && (await isOnlyOwner(trx, companyId, uuid))) {
    const { companyName, orgNumber, lastInvoiceNumber } = await findCompany(trx, companyId);
    if (orgNumber !== null || lastInvoiceNumber !== null) {
      throw new AppError('only_owner', { subject: companyName ?? orgNumber ?? '' });
    }
    await deleteCompany(context, trx, companyId, accountUuid);
    return;
  }
  await endMembership(trx, { companyId, uuid, keepLinks: false }, [exportLinks, overviewLinks]);
}
