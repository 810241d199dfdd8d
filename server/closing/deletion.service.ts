import { randomUUID } from 'node:crypto';
import { join } from 'node:path';

import { DAYS_TO_REGRET } from '../../domain/closing/closing.schema.ts';
import { todayInOslo, type IsoDate } from '../../domain/date.ts';
import { deleteSessionsOfOthers } from '../account/session.repository.ts';
import { holdCompany } from '../company/company-state.repository.ts';
import { findCompany } from '../company/profile.repository.ts';
import type { Context } from '../context.ts';
import { forgetContacts } from '../customer/customers-of-closed.repository.ts';
import { deleteEventsOf } from '../delivery/carriers/ehf/ehf.repository.ts';
import { type Deleted, deleteCompanyRows, deleteParts } from '../platform/db/company-deletion.ts';
import type { Trx } from '../platform/db/database.ts';
import { handlerOf, tryEach, type JobHandler } from '../platform/jobs/job.ts';
import { closedRemainsJob, closingJob, closingMailJob } from '../platform/jobs/jobs.ts';
import { removeFromOutbox } from '../platform/mail/outbox.ts';
import { GOES_FIRST } from './closing-tables.ts';
import * as repository from './closing.repository.ts';

const EVERY_MINUTE = '* * * * *';
/** Keys of the object store that are read at a time. */
const KEYS = 500;

/** The jobs that delete what is due of closed companies. */
export function deletionJobs(context: Context): JobHandler[] {
  const run = async () => deleteDue(context, todayInOslo());
  return [
    handlerOf(closingJob, run, { cron: EVERY_MINUTE, feature: 'closing' }),
    handlerOf(closedRemainsJob, async ({ deletedId }) => removeRemains(context, deletedId), {
      feature: 'closing',
    }),
  ];
}

/**
 * Deletes what is due of each closed company on this day, and tells owners whose books end soon. What is deleted of a company is one
 * transaction, and whoever runs it first leaves nothing to do for others.
 */
export async function deleteDue(context: Context, today: IsoDate): Promise<void> {
  const { db, jobs } = context;
  for (const companyId of await repository.findUntold(db, today, DAYS_TO_REGRET)) {
    await db.transaction().execute(async (trx) => {
      if (!(await repository.noteTold(trx, companyId))) return;
      const order = { mail: 'BOOKS_END', companyId, messageUuid: randomUUID() } as const;
      await jobs.enqueue(trx, closingMailJob, order);
    });
  }
  const due = await repository.findDue(db, today);
  await tryEach(due, async ({ companyId }) => deleteOf(context, companyId, today));
}

/** Deletes what is due of one company, unless it was opened again meanwhile. */
async function deleteOf(context: Context, companyId: number, today: IsoDate): Promise<void> {
  const { db, log } = context;
  await db.transaction().execute(async (trx) => {
    // Another process may be at it.
    if (!(await holdCompany(trx, companyId))) return;
    const closing = await repository.findClosing(trx, companyId);
    if (!closing) return;
    if (closing.booksEndOn <= today) {
      const deleted = await deleteCompany(context, trx, companyId, closing.closedBy);
      log.info({ companyId, deleted }, 'everything of a closed company deleted');
    } else if (closing.deletesOn <= today && closing.strippedAt === null) {
      await deleteSessionsOfOthers(trx, companyId);
      await repository.noteObjectsOfQuotes(trx, companyId);
      const deleted = await deleteParts(trx, companyId, GOES_FIRST);
      const forgotten = await forgetContacts(trx, companyId);
      await repository.noteStripped(trx, companyId);
      await enqueueRemains(context, trx, companyId);
      log.info({ companyId, deleted, forgotten }, 'all but the books of a closed company deleted');
    }
  });
}

/** Deletes a company with its books, and keeps what the law lets remain (CLO-7). The caller holds it. */
export async function deleteCompany(
  { jobs }: Pick<Context, 'jobs'>,
  trx: Trx,
  companyId: number,
  closedBy: string,
): Promise<Deleted> {
  const { uuid, orgNumber, startInvoiceNumber, lastInvoiceNumber, lastDocumentHash } =
    await findCompany(trx, companyId);
  const closing = await repository.findClosing(trx, companyId);
  await repository.insertClosedBooks(trx, {
    companyUuid: uuid,
    orgNumber,
    closedBy,
    firstNumber: lastInvoiceNumber === null ? null : startInvoiceNumber,
    lastNumber: lastInvoiceNumber,
    lastHash: lastDocumentHash,
    archiveSha256: closing?.archiveSha256 ?? null,
    deletedId: companyId,
  });
  await repository.noteObjects(trx, companyId);
  await deleteEventsOf(trx, companyId);
  const deleted = await deleteCompanyRows(trx, companyId);
  await enqueueRemains({ jobs }, trx, companyId);
  return deleted;
}

async function enqueueRemains(
  { jobs }: Pick<Context, 'jobs'>,
  trx: Trx,
  companyId: number,
): Promise<void> {
  const payload = { deletedId: companyId };
  await jobs.enqueueAll(trx, closedRemainsJob, [{ payload, key: String(companyId) }]);
}

/** Removes the files of what was deleted and, when the company is gone, its mails in the outbox. */
async function removeRemains(
  { config, db, log, objectStore }: Context,
  deletedId: number,
): Promise<void> {
  let objects = 0;
  for (;;) {
    const keys = await repository.listObjects(db, deletedId, KEYS);
    for (const key of keys) await objectStore.delete(key);
    await repository.forgetObjects(db, deletedId, keys);
    objects += keys.length;
    if (keys.length < KEYS) break;
  }
  const isGone = await repository.isDeleted(db, deletedId);
  const mails =
    isGone && config.smtpUrl === null
      ? await removeFromOutbox(join(config.dataDir, 'outbox'), deletedId)
      : 0;
  log.info({ companyId: deletedId, objects, mails }, 'files of a closed company removed');
}
