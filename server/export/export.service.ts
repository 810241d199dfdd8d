import { randomUUID } from 'node:crypto';

import { todayInOslo } from '../../domain/date.ts';
import { deletionNeeds } from '../../domain/export/export-file.ts';
import type {
  CompanyExport,
  ExportBody,
  ExportKind,
  ExportTrial,
} from '../../domain/export/export.schema.ts';
import { oreToKroner } from '../../domain/money.ts';
import { demand } from '../account/permissions.ts';
import { lockCompany } from '../company/profile.repository.ts';
import type { Actor, Context } from '../context.ts';
import { AppError } from '../errors.ts';
import { demandProof } from '../proof.ts';
import { countStrangerMail } from '../delivery/carriers/email/email.carrier.ts';
import { countDrafts } from '../invoice/drafts.repository.ts';
import { authorOf } from '../invoice/history.repository.ts';
import { isUniqueViolation } from '../platform/db/database-errors.ts';
import { hexOf } from '../platform/crypto.ts';
import type { Db, Trx } from '../platform/db/database.ts';
import { exportJob, exportMailJob } from '../platform/jobs/jobs.ts';
import { countAgainst } from '../platform/limits/rate-limit.ts';
import type { Basis, BookSums, ExportScope, Moment, Point, Range } from './books.ts';
import * as contents from './export-contents.repository.ts';
import type { KeptExport } from './export-contents.repository.ts';
import { removeFile } from './export-file.service.ts';
import { findOwn, insertAuthor } from './export-link.repository.ts';
import { openFile } from './export-making.service.ts';
import * as repository from './export.repository.ts';
import type { ExportRow } from './export.repository.ts';
import { printerOf } from './export-formats.ts';
import { hasMoreLines } from './figures.repository.ts';
import { hasPayments } from './money.repository.ts';
import { currentMoment, readBasis, sumUp } from './open-books.ts';
import { allThrough, without } from './ranges.ts';
import { ObjectStoreAway } from '../platform/object-store/object-store.ts';

/** Most documents, and most lines of them, of an export that is DONE at once, and made when it is fetched (EXP-3). */
const MOST_AT_ONCE = 2000;
const MOST_LINES_AT_ONCE = 20_000;
/** Most exports of a company in an hour, and most mails to accountants in a day (EXP-8). */
const EXPORTS_PER_HOUR = 120;
const MAILS_PER_DAY = 20;
const HOUR = 3600;

/** The company's exports, the latest first. */
export async function listExports({ db }: Context, actor: Actor): Promise<CompanyExport[]> {
  const rows = await repository.listExports(db, actor.companyId);
  const own = await findOwn(
    db,
    actor,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => toExport(row, own.has(row.id)));
}

/** @throws AppError not_found */
export async function getExport(
  { db }: Context,
  actor: Actor,
  uuid: string,
): Promise<CompanyExport> {
  const row = await requireReadable(db, actor, uuid);
  return toExport(row, (await findOwn(db, actor, [row.id])).has(row.id));
}

/** An export that the caller may have: an archive is the owner's. @throws AppError not_found, not_permitted */
async function requireReadable(db: Db, actor: Actor, uuid: string): Promise<ExportRow> {
  const row = await repository.requireExport(db, actor.companyId, uuid);
  demandFor(actor, row);
  return row;
}

function demandFor(actor: Actor, { kind }: { readonly kind: ExportKind }): void {
  if (kind === 'ARCHIVE') demand(actor, 'archive');
}

/** Opens the file of an export. @throws AppError not_found, not_permitted, export_not_done */
export async function getExportFile(context: Context, actor: Actor, uuid: string) {
  return openFile(context, await requireReadable(context.db, actor, uuid));
}

/** Counts the contents of an export without making it. @throws AppError nothing_new */
export async function tryExport(
  context: Context,
  actor: Actor,
  body: ExportBody,
): Promise<ExportTrial> {
  const { db } = context;
  const { companyId } = actor;
  demandFor(actor, body);
  printerOf(body.kind);
  const asked = await db
    .transaction()
    .execute(async (trx) => momentOf(context, trx, companyId, body));
  const { scope, sums } = await sumUp(db, asked.scope);
  await refuseNothing(db, body.kind, scope, sums);
  const exported = await repository.findExported(db, companyId, sums);
  return {
    ...contentsOf({ kind: body.kind, fromDate: scope.from, toDate: scope.to, ...rowOf(sums) }),
    draftsLeftOut: await countDrafts(db, companyId),
    exportedBefore: exported.flatMap(({ uuid, firstNumber, lastNumber, createdAt }) =>
      firstNumber === null || lastNumber === null
        ? []
        : [{ uuid, firstNumber, lastNumber, at: createdAt.toISOString() }],
    ),
  };
}

/**
 * Exports what there is at this moment: so much as one waits for at once, more by a job.
 *
 * @throws AppError proof_needed, nothing_new, export_under_way, too_many_requests
 */
export async function createExport(
  context: Context,
  actor: Actor,
  body: ExportBody,
): Promise<CompanyExport> {
  const { db } = context;
  const { companyId } = actor;
  demandFor(actor, body);
  // It takes everything away, or sends it to somebody (SEC-8).
  if (body.kind === 'ARCHIVE' || body.sendTo) demandProof(context, actor);
  printerOf(body.kind);
  await countCall(context, companyId, body);
  const asked = await db
    .transaction()
    .execute(async (trx) => momentOf(context, trx, companyId, body));
  // Outside of the lock: it may take seconds, and what is before the moment never changes.
  const { scope, sums } = await sumUp(db, asked.scope);
  await refuseNothing(db, body.kind, scope, sums);
  const byJob = isByJob(body.kind, sums) || (await hasMoreLines(db, scope, MOST_LINES_AT_ONCE));
  try {
    return await db.transaction().execute(async (trx) => {
      await lockCompany(trx, companyId);
      if (body.sinceLast) await refuseOvertaken(trx, companyId, body, asked.kept);
      const sentTo = body.sendTo ?? null;
      const by = authorOf(actor);
      const after = endOf(asked.kept.at(-1));
      const added = { kind: body.kind, scope, after, sums, byJob, sentTo, by };
      const row = await repository.insertExport(trx, added);
      await insertAuthor(trx, row, actor);
      await contents.insertContents(trx, row, scope, asked.basis);
      await enqueueWork(context, trx, row);
      return toExport(row, true);
    });
  } catch (error) {
    if (isUniqueViolation(error)) throw new AppError('export_under_way');
    throw error;
  }
}

async function countCall(
  context: Pick<Context, 'config' | 'db'>,
  companyId: number,
  { sendTo }: ExportBody,
): Promise<void> {
  const { db } = context;
  const key = `export:${companyId}`;
  await countAgainst(db, { key, most: EXPORTS_PER_HOUR, seconds: HOUR });
  if (!sendTo) return;
  const mails = { key: `export-mail:${companyId}`, most: MAILS_PER_DAY, seconds: 24 * HOUR };
  await countAgainst(db, mails);
  await countStrangerMail(context, companyId);
}

async function enqueueWork(
  { jobs }: Pick<Context, 'jobs'>,
  trx: Trx,
  { companyId, uuid: exportUuid, byJob, sentTo }: ExportRow,
): Promise<void> {
  if (byJob) {
    const payload = { companyId, exportUuid };
    await jobs.enqueueAll(trx, exportJob, [{ payload, key: exportUuid }]);
  } else if (sentTo !== null) {
    const payload = { companyId, exportUuid, mail: 'LINK', messageUuid: randomUUID() } as const;
    await jobs.enqueue(trx, exportMailJob, payload);
  }
}

/**
 * The scope of a call, and the facts that its file is made with. The lock of the company keeps others from registering and
 * booking, so nothing gets an earlier number or id after this moment.
 * @throws AppError profile_incomplete: books name their seller, an archive has what there is
 */
async function momentOf(
  { config: { features } }: Pick<Context, 'config'>,
  trx: Trx,
  companyId: number,
  { kind, from, to, sinceLast, filter }: ExportBody,
): Promise<{
  readonly scope: ExportScope;
  readonly kept: readonly KeptExport[];
  readonly basis: Basis | null;
}> {
  await lockCompany(trx, companyId);
  const moment = await currentMoment(trx, companyId);
  const today = todayInOslo();
  const isAll = kind === 'ARCHIVE';
  const kept = sinceLast && !isAll ? await contents.findKept(trx, companyId, kind) : [];
  const period = isAll || sinceLast || !from || !to ? { from: null, to: today } : { from, to };
  const ranges = rangesSince(kept, {
    number: moment.lastNumber,
    paymentId: moment.lastPaymentId,
  });
  const scope = {
    companyId,
    ...period,
    ...(ranges && { ranges }),
    filter: isAll ? null : (filter ?? null),
    ...moment,
  };
  return {
    scope,
    kept,
    basis: isAll ? null : await readBasis(trx, companyId, features.has('einvoice')),
  };
}

/**
 * Everything through a moment that none of these exports has (EXP-6). What is dated before the first of them, if that is of
 * a period, was booked before Faktur's exports were. Null: there is no export to continue.
 */
function rangesSince(kept: readonly KeptExport[], moment: Moment): readonly Range[] | null {
  const [first, ...later] = kept;
  if (!first) return null;
  // A period is one range.
  const [period] = first.ranges;
  const begun = first.row.fromDate === null || !period ? first.ranges : [{ ...period, from: null }];
  return without(allThrough(moment), [...begun, ...later.flatMap(({ ranges }) => ranges)]);
}

/** Where an export ended: the first to go on after it, and processes of the version before, go by it. */
function endOf(last: KeptExport | undefined): Point | null {
  if (!last) return null;
  // An export of a period has only what is dated within it.
  const { afterNumber, throughNumber: number, throughPaymentId: paymentId, toDate } = last.row;
  return { number, paymentId, date: afterNumber === null ? toDate : null };
}

/**
 * A second click at the same time exports nothing twice, and a file that the refused link leaves unread does not go out
 * beside the one that replaces it.
 * @throws AppError nothing_new
 */
async function refuseOvertaken(
  trx: Trx,
  companyId: number,
  { kind }: ExportBody,
  kept: readonly KeptExport[],
): Promise<void> {
  await contents.endRefused(trx, companyId, kind);
  const known = new Set(kept.map(({ row }) => row.id));
  const now = await contents.findKept(trx, companyId, kind);
  if (now.some(({ row }) => !known.has(row.id))) throw new AppError('nothing_new');
}

/** @throws AppError nothing_new for an export since the last one, without documents or payments */
async function refuseNothing(
  db: Db,
  kind: ExportKind,
  scope: ExportScope,
  sums: BookSums,
): Promise<void> {
  if (!scope.ranges || sums.invoices + sums.creditNotes > 0) return;
  // After an export of a period, a payment may be new that was recorded before it.
  if (kind === 'DOCUMENTS' || !(await hasPayments(db, scope))) throw new AppError('nothing_new');
}

function isByJob(kind: ExportKind, { invoices, creditNotes }: BookSums): boolean {
  return kind === 'DOCUMENTS' || kind === 'ARCHIVE' || invoices + creditNotes > MOST_AT_ONCE;
}

/**
 * Deletes the file, and ends the link and a making that goes on.
 * @throws AppError not_found, not_permitted
 */
export async function deleteExport(
  context: Context,
  actor: Actor,
  uuid: string,
): Promise<undefined> {
  const { db, log } = context;
  const row = await requireReadable(db, actor, uuid);
  const own = await findOwn(db, actor, [row.id]);
  demand(actor, deletionNeeds({ isYours: own.has(row.id) }));
  await db.transaction().execute(async (trx) => repository.markDeleted(trx, row));
  try {
    await removeFile(context, row);
  } catch (error) {
    // Nobody gets it any more; housekeeping removes what is left.
    if (!(error instanceof ObjectStoreAway)) throw error;
    log.warn({ reason: error.message }, 'the file of a deleted export is removed later');
  }
  return undefined;
}

type Contents = Pick<
  ExportRow,
  | 'kind'
  | 'fromDate'
  | 'toDate'
  | 'firstNumber'
  | 'lastNumber'
  | 'invoices'
  | 'creditNotes'
  | 'netAmount'
  | 'vatAmount'
  | 'grossAmount'
>;

function rowOf({ net, vat, gross, ...counts }: BookSums) {
  return { ...counts, netAmount: net, vatAmount: vat, grossAmount: gross };
}

function contentsOf(row: Contents) {
  return {
    kind: row.kind,
    from: row.fromDate,
    to: row.toDate,
    firstNumber: row.firstNumber,
    lastNumber: row.lastNumber,
    invoices: row.invoices,
    creditNotes: row.creditNotes,
    net: oreToKroner(row.netAmount),
    vat: oreToKroner(row.vatAmount),
    gross: oreToKroner(row.grossAmount),
  };
}

function toExport(row: ExportRow, isYours: boolean): CompanyExport {
  const {
    uuid,
    state,
    progress,
    sha256,
    createdAt,
    byName,
    expiresAt,
    deletedAt,
    sentTo,
    linkSentAt,
  } = row;
  return {
    uuid,
    ...contentsOf(row),
    state,
    progress: state === 'DONE' ? 1 : progress,
    sha256: sha256 && hexOf(sha256),
    createdAt: createdAt.toISOString(),
    by: byName,
    isYours,
    expiresAt: deletedAt ? null : (expiresAt?.toISOString() ?? null),
    sentTo,
    linkSentAt: linkSentAt?.toISOString() ?? null,
  };
}
