import { todayInOslo } from '../../domain/date.ts';
import type { HistoryAuthor } from '../../domain/history/history.schema.ts';
import type { Actor, Context } from '../context.ts';
import { AppError } from '../errors.ts';
import { authorOf } from '../invoice/history.service.ts';
import { requireInvoice } from '../invoice/invoice.service.ts';
import { sendRemindersJob } from '../platform/jobs/jobs.ts';
import { lockCompany } from '../company/profile.service.ts';
import type { Circumstances } from './proposal-judging.ts';
import { findCircumstances, findProposed } from './proposal.service.ts';
import { remind } from './reminder.service.ts';

/** The results of approved proposals, in the order of the request. */
interface Sent {
  readonly sent: { readonly invoiceUuid: string; readonly reminderUuid: string }[];
  readonly skipped: { readonly uuid: string; readonly reason: AppError }[];
  /** Invoices whose reminders a job sends after the response. */
  readonly waiting: readonly string[];
}

/** Reminders sent within the request, and by each job. */
const AT_ONCE = 100;

/**
 * Sends the proposed reminders of these invoices: the first hundred within the request, the rest in jobs, which go
 * on when the caller disconnects.
 */
export async function sendProposals(
  { db, jobs, ...rest }: Context,
  actor: Actor,
  uuids: readonly string[],
): Promise<Sent> {
  const { companyId } = actor;
  const by = authorOf(actor);
  const all = [...new Set(uuids)];
  const waiting = all.slice(AT_ONCE);
  const parts = Array.from({ length: Math.ceil(waiting.length / AT_ONCE) }, (_, part) =>
    waiting.slice(part * AT_ONCE, (part + 1) * AT_ONCE),
  );
  await jobs.enqueueAll(
    db,
    sendRemindersJob,
    parts.map((part) => ({
      payload: { companyId, uuids: part, by },
      key: `${companyId}:${part[0]}`,
    })),
  );
  const done = await sendApproved({ db, jobs, ...rest }, { companyId, by }, all.slice(0, AT_ONCE));
  return { ...done, waiting };
}

/**
 * Sends the proposed reminders of these invoices, each in its own transaction. One that waits or fails is listed
 * as skipped. Running it twice sends nothing twice.
 */
export async function sendApproved(
  context: Context,
  { companyId, by }: { readonly companyId: number; readonly by: HistoryAuthor },
  uuids: readonly string[],
): Promise<Omit<Sent, 'waiting'>> {
  const circumstances = await findCircumstances(context, companyId, todayInOslo());
  const outcome: Omit<Sent, 'waiting'> = { sent: [], skipped: [] };
  for (const uuid of uuids) {
    try {
      const wanted = { companyId, uuid, circumstances };
      const reminderUuid = await remindAsProposed(context, by, wanted);
      outcome.sent.push({ invoiceUuid: uuid, reminderUuid });
    } catch (error) {
      if (!(error instanceof AppError)) {
        context.log.error({ err: error, invoice: uuid }, 'reminder not sent');
      }
      const reason = error instanceof AppError ? error : new AppError('unavailable');
      outcome.skipped.push({ uuid, reason });
    }
  }
  return outcome;
}

/**
 * Sends the reminder that is proposed for one invoice at this moment, in its own transaction. It reads payments
 * and disputes anew. Returns the reminder's uuid.
 * @throws AppError not_found, reminder_not_due, why it waits, and as `remind` does
 */
export async function remindAsProposed(
  context: Context,
  author: HistoryAuthor,
  {
    companyId,
    uuid,
    circumstances,
  }: { readonly companyId: number; readonly uuid: string; readonly circumstances: Circumstances },
): Promise<string> {
  return context.db.transaction().execute(async (trx) => {
    // Lock before reading, so that this transaction sees what the previous holder of the lock wrote.
    await lockCompany(trx, companyId);
    const wanted = { most: 1, uuids: [uuid] };
    const { proposed } = await findProposed(trx, companyId, circumstances, wanted);
    const [proposal] = proposed;
    if (!proposal) {
      await requireInvoice(trx, companyId, uuid);
      throw new AppError('reminder_not_due');
    }
    if (proposal.waits) throw proposal.waits.reason;
    const { invoice, next, newDueDate } = proposal;
    const { row } = await remind(context, trx, author, {
      companyId,
      invoiceId: invoice.id,
      step: next.step,
      wish: {
        kind: next.kind,
        dueDate: newDueDate,
        fee: next.fee,
        interest: next.interest,
        compensation: false,
      },
    });
    return row.uuid;
  });
}
