import { randomUUID } from 'node:crypto';

import {
  DAYS_TO_REGRET,
  type Closing,
  type ClosingForm,
} from '../../domain/closing/closing.schema.ts';
import { addDays, todayInOslo, type IsoDate } from '../../domain/date.ts';
import { findAccountUuid } from '../account/account.repository.ts';
import { deleteInvitations } from '../account/member-ending.repository.ts';
import { deleteTokensOf } from '../account/token.repository.ts';
import { setClosed } from '../company/company-state.repository.ts';
import { findCompany, lockCompany } from '../company/profile.repository.ts';
import type { Actor, Context } from '../context.ts';
import { revokeAgreement } from '../delivery/carriers/ehf/ehf-agreement.service.ts';
import { AppError, type Language } from '../errors.ts';
import { endAllLinks as endExportLinks } from '../export/export-link.repository.ts';
import { dropEvents } from '../integration/webhook-event.repository.ts';
import { findLastIssued } from '../invoice/invoice-series.repository.ts';
import { endAllLinks as endOverviewLinks } from '../overview/overview-link.repository.ts';
import { findLastPayment } from '../payment/payment.repository.ts';
import type { Db, Trx } from '../platform/db/database.ts';
import { closingMailJob } from '../platform/jobs/jobs.ts';
import { findStanding, presentObstacles } from './closing-obstacles.service.ts';
import * as repository from './closing.repository.ts';

/** Full years after that of the last document or payment (bokføringsloven § 13). */
const YEARS_KEPT = 5;

/** Whether a company is open, what hinders closing it, and what is deleted when. */
export async function getClosing(
  context: Pick<Context, 'config' | 'db'>,
  { companyId }: Pick<Actor, 'companyId'>,
  language: Language,
): Promise<Closing> {
  return present(context, context.db, companyId, language);
}

async function present(
  context: Pick<Context, 'config'>,
  db: Db,
  companyId: number,
  language: Language,
): Promise<Closing> {
  const { closedAt } = await findCompany(db, companyId);
  const closing = await repository.findClosing(db, companyId);
  const { codes, archive } = await findStanding(context, db, companyId);
  const isClosed = closedAt !== null;
  return {
    state: isClosed ? 'CLOSED' : 'OPEN',
    closedAt: closedAt?.toISOString() ?? null,
    deletesOn: closing?.deletesOn ?? null,
    keptUntil: closing?.keptUntil ?? null,
    requiredUntil: await findRequiredUntil(db, companyId),
    keep: closing?.keep ?? null,
    obstacles: isClosed ? [] : presentObstacles(codes, language),
    archive: archive && {
      uuid: archive.uuid,
      madeAt: archive.createdAt.toISOString(),
      fetchedAt: archive.fetchedAt?.toISOString() ?? null,
    },
  };
}

/**
 * Closes a company (CLO-1). What others could still use of it ends at once; nothing else is deleted before
 * `DAYS_TO_REGRET` days have passed.
 * @throws AppError other_org_number, closing_hindered, company_closed
 */
export async function closeCompany(
  context: Context,
  { accountId, companyId }: Actor,
  { keep, confirm, acceptCredit }: ClosingForm,
  language: Language,
): Promise<Closing> {
  const { db, jobs, log } = context;
  return db.transaction().execute(async (trx) => {
    // Nothing is registered or paid while this is judged.
    await lockCompany(trx, companyId);
    const { orgNumber } = await findCompany(trx, companyId);
    if (confirm !== orgNumber) throw new AppError('other_org_number', { field: 'confirm' });
    const { codes, whole } = await findStanding(context, trx, companyId);
    const isMissing = !keep && whole === null && !codes.includes('ARCHIVE_MISSING');
    const hindering = codes.filter((code) => code !== 'CREDIT' || !(keep && acceptCredit));
    if (isMissing) hindering.unshift('ARCHIVE_MISSING');
    if (hindering.length > 0) {
      const obstacles = presentObstacles(hindering, language);
      throw new AppError('closing_hindered', { obstacles });
    }
    await repository.insertClosing(trx, {
      companyId,
      closedBy: await findAccountUuid(trx, accountId),
      keep,
      deletesOn: addDays(todayInOslo(), DAYS_TO_REGRET),
      keptUntil: keep ? await findRequiredUntil(trx, companyId) : null,
      archiveSha256: whole?.sha256 ?? null,
    });
    await setClosed(trx, companyId, true);
    await endAccess(trx, companyId);
    await jobs.enqueue(trx, closingMailJob, {
      mail: 'CLOSED',
      companyId,
      accountId,
      messageUuid: randomUUID(),
    });
    log.info({ companyId, keep }, 'company closed');
    return present(context, trx, companyId, language);
  });
}

/** The last day for which the law asks for the books; null without any. */
async function findRequiredUntil(db: Db, companyId: number): Promise<IsoDate | null> {
  const { issueDate } = await findLastIssued(db, companyId);
  const { paidOn } = await findLastPayment(db, companyId);
  const last = [issueDate, paidOn]
    .filter((date) => date !== null)
    .toSorted()
    .at(-1);
  return last === undefined ? null : `${Number(last.slice(0, 4)) + YEARS_KEPT}-12-31`;
}

/** Ends what does not come back with the company (CLO-3). */
async function endAccess(trx: Trx, companyId: number): Promise<void> {
  await deleteTokensOf(trx, companyId);
  await endExportLinks(trx, companyId);
  await endOverviewLinks(trx, companyId);
  await deleteInvitations(trx, companyId);
  await revokeAgreement(trx, companyId);
  await dropEvents(trx, companyId);
}

/** Opens a closed company again (CLO-4). @throws AppError company_open, closing_begun */
export async function reopenCompany(
  context: Pick<Context, 'config' | 'db' | 'log'>,
  { companyId }: Pick<Actor, 'companyId'>,
  language: Language,
): Promise<Closing> {
  return context.db.transaction().execute(async (trx) => {
    await lockCompany(trx, companyId);
    await reopen(trx, companyId);
    context.log.info({ companyId }, 'company opened again');
    return present(context, trx, companyId, language);
  });
}

/** Opens a closed company again. The caller holds it. @throws AppError company_open, closing_begun */
export async function reopen(trx: Trx, companyId: number): Promise<void> {
  const { closedAt } = await findCompany(trx, companyId);
  if (closedAt === null) throw new AppError('company_open');
  if (!(await repository.deleteClosing(trx, companyId))) throw new AppError('closing_begun');
  await setClosed(trx, companyId, false);
}
