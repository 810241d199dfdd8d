import { randomUUID } from 'node:crypto';

import type { InvoiceStatus } from '../../domain/invoice/invoice.status.ts';
import type { Context } from '../context.ts';
import type { Trx } from '../platform/db/database.ts';
import { findIssued } from '../invoice/invoice-standing.service.ts';
import { failureNoticeJob } from '../platform/jobs/jobs.ts';
import { sendNotice } from '../platform/mail/notice.ts';
import { findOwnerAddress } from '../account/owner-address.service.ts';
import { NO_OUTCOME_REASON } from './delivery-record.service.ts';
import { failureMail } from './failure-notice.mail.ts';
import * as repository from './failure-notice.repository.ts';
import type { Failed, UnsentNotice } from './failure-notice.repository.ts';

/** Between two mails to a company (seconds; DEL-18). */
const PAUSE = 3600;
/** Failures that one mail is about; what is more waits for the next. */
const MOST = 1000;
/** The most deliveries that one mail names. */
const NAMED = 20;

/** Tells the owner of one company or, with null, has all told that are to be. */
export async function tellOfFailures(
  context: Context,
  { companyId }: { readonly companyId: number | null },
): Promise<void> {
  if (companyId !== null) return tellOwner(context, companyId);
  const companyIds = await repository.findCompaniesToTell(context.db, PAUSE);
  const items = companyIds.map((id) => ({ payload: { companyId: id }, key: String(id) }));
  if (items.length > 0) await context.jobs.enqueueAll(context.db, failureNoticeJob, items);
}

/**
 * Mails a company's owner what could not be delivered since the last mail. The mail is noted before it leaves:
 * one that was cut off leaves once more with the same failures and the same Message-ID.
 */
async function tellOwner(context: Context, companyId: number): Promise<void> {
  const { db } = context;
  const notice = await db.transaction().execute(async (trx) => nextNotice(trx, companyId));
  if (!notice) return;
  const address = await findOwnerAddress(db, companyId);
  if (address !== null) {
    const content = failureMail(await letterOf(context, companyId, notice));
    const headers = { 'Auto-Submitted': 'auto-generated' };
    // Where the owner's own address takes no mail, what failed is on the screen.
    await sendNotice(context, { address, key: notice.uuid }, { headers, ...content });
  }
  await repository.noteSent(db, companyId, notice.uuid);
}

async function nextNotice(trx: Trx, companyId: number): Promise<UnsentNotice | null> {
  const { unsent, isEarly } = await repository.lockNotice(trx, companyId, PAUSE);
  if (unsent) return unsent;
  if (isEarly) return null;
  const taken = await repository.takeUntold(trx, companyId, MOST);
  const latest = taken.filter(({ isLatest }) => isLatest);
  const issued = await findIssued(
    trx,
    companyId,
    latest.map(({ invoiceId }) => invoiceId),
  );
  const failed = latest.filter((one) => isToBeTold(one, issued.get(one.invoiceId)?.status));
  if (failed.length === 0) return null;
  const notice = { uuid: randomUUID(), deliveryIds: failed.map(({ id }) => id) };
  await repository.saveUnsent(trx, companyId, notice);
  return notice;
}

/**
 * An invoice that was paid or cancelled meanwhile need not be sent, and a later delivery tells its own failure. A paid
 * invoice is only sent because its owner asked for it, so the owner is told.
 */
function isToBeTold(
  { forced, reminderPrincipal }: Failed,
  status: InvoiceStatus | undefined,
): boolean {
  return status === 'REGISTERED' || (status === 'PAID' && forced && reminderPrincipal === null);
}

async function letterOf({ config, db }: Context, companyId: number, { deliveryIds }: UnsentNotice) {
  const named = deliveryIds.slice(0, NAMED);
  const reasons = await repository.findReasons(db, companyId, named);
  const issued = await findIssued(
    db,
    companyId,
    reasons.map(({ invoiceId }) => invoiceId),
  );
  const failures = reasons.flatMap(({ invoiceId, failureReason, reminderPrincipal, ...told }) => {
    const invoice = issued.get(invoiceId);
    const isReminder = reminderPrincipal !== null;
    const reason = failureReason ?? NO_OUTCOME_REASON;
    return invoice ? [{ ...invoice, ...told, isReminder, reason }] : [];
  });
  const many = deliveryIds.length;
  return { failures, many, url: `${config.publicUrl}${pathTo(failures, many)}` };
}

interface Named {
  readonly invoiceNumber: number;
  readonly status: InvoiceStatus;
  readonly isReminder: boolean;
}

/** Where the owner sees what failed: the list of it has no reminders and no paid invoices. */
function pathTo(failures: readonly Named[], many: number): string {
  if (failures.some(({ isReminder, status }) => !isReminder && status !== 'PAID')) {
    return '/invoices/?status=FAILED';
  }
  const [failure] = failures;
  if (failure && many === 1) return `/invoices/${failure.invoiceNumber}/`;
  const isOfReminders = failures.every(({ isReminder }) => isReminder);
  return isOfReminders ? '/invoices/?status=OVERDUE' : '/invoices/';
}
