import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { hasFile } from '../../domain/export/export-file.ts';
import type { Context } from '../context.ts';
import { AppError } from '../errors.ts';
import { isOutside } from '../platform/db/database-errors.ts';
import { handlerOf, type JobHandler } from '../platform/jobs/job.ts';
import { exportJob, exportMailJob } from '../platform/jobs/jobs.ts';
import { printAllMissing, withAllPrinted } from './archive/archive.ts';
import { printerOf } from './export-formats.ts';
import type { PrintOrder } from './export-printer.ts';
import {
  NOTED_EVERY,
  Overtaken,
  readFile,
  removeEarlier,
  removeFile,
  type MadeFile,
} from './export-file.service.ts';
import { mailAbout } from './export-notice.service.ts';
import * as contents from './export-contents.repository.ts';
import * as repository from './export.repository.ts';
import type { ExportRow } from './export.repository.ts';
import { makeFile, makeFileInProcess, type FileTask } from './file-maker.ts';

/** Failed and killed makings after which an export is given up (EXP-11). */
const MOST_FAILURES = 5;
/** How long an export waits for what is outside, as a mail does (milliseconds). */
const LONGEST_WAIT = 48 * 3600_000;
/** Two at once, so that one company's large export does not block the others for hours. */
const BATCHES = 2;

/** Makes the files of large exports, and mails about them. */
export function exportJobs(context: Context): JobHandler[] {
  const feature = 'export';
  return [
    handlerOf(exportJob, async (order, signal) => makeByJob(context, order, signal), {
      batches: BATCHES,
      feature,
    }),
    handlerOf(
      exportMailJob,
      async (order) => {
        const { db } = context;
        const row = await repository.requireExport(db, order.companyId, order.exportUuid);
        const isLink = order.mail === 'LINK';
        // A link that opens nothing any more is not mailed.
        if (isLink && (!hasFile(row) || row.linkSentAt !== null)) return;
        // The mail's figures and the file are of the same time.
        await mailAbout(context, isLink ? await withFile(context, row) : row, order);
      },
      { feature },
    ),
  ];
}

/** Queues the missing jobs of exports, after a restore. */
export async function resumeExports({ db, jobs }: Pick<Context, 'db' | 'jobs'>): Promise<void> {
  const unfinished = await repository.findUnfinished(db);
  const items = unfinished.map(({ companyId, uuid: exportUuid }) => ({
    payload: { companyId, exportUuid },
    key: exportUuid,
  }));
  if (items.length > 0) await jobs.enqueueAll(db, exportJob, items);
}

/** The bytes of an export's file. @throws AppError not_found, export_not_done */
export async function openFile(
  context: Context,
  row: ExportRow,
): Promise<{ readonly row: ExportRow; readonly chunks: AsyncIterable<Uint8Array> }> {
  if (row.deletedAt !== null || row.state === 'FAILED') throw new AppError('not_found');
  if (row.state !== 'DONE') throw new AppError('export_not_done');
  return openFileOf(context, row);
}

/** The bytes of the file of an export that is DONE. @throws AppError not_found */
export async function openFileOf(
  context: Context,
  row: ExportRow,
): Promise<{ readonly row: ExportRow; readonly chunks: AsyncIterable<Uint8Array> }> {
  if (!hasFile(row)) throw new AppError('not_found');
  const made = await withFile(context, row);
  return { row: made, chunks: handOut(context, made) };
}

/** The file, of which the last part comes once it is noted that somebody has it: what nobody has is exported again (EXP-6). */
async function* handOut(context: Context, row: ExportRow): AsyncGenerator<Uint8Array> {
  let held: Uint8Array | null = null;
  for await (const part of readFile(context, row)) {
    if (held) yield held;
    held = part;
  }
  if (row.fetchedAt === null && !(await repository.noteFetched(context.db, row))) {
    throw new Error(`Export ${row.uuid} ended while it was fetched`);
  }
  if (held) yield held;
}

/** Files that this process makes for those who fetch them. */
const underWay = new Map<string, Promise<void>>();

/** How long a fetch waits for the process that makes the file, and how often it looks (milliseconds). */
const LONGEST_FETCH = 60_000;
const LOOK_EVERY = 250;

/** The export with its file, which the first who fetches it makes. @throws AppError not_found, unavailable */
async function withFile(context: Context, row: ExportRow): Promise<ExportRow> {
  if (row.sha256 !== null) return row;
  const last = performance.now() + LONGEST_FETCH;
  for (;;) {
    let making = underWay.get(row.uuid);
    if (!making) {
      making = makeByFetch(context, row).finally(() => underWay.delete(row.uuid));
      underWay.set(row.uuid, making);
    }
    await making;
    const made = await repository.requireExport(context.db, row.companyId, row.uuid);
    if (!hasFile(made)) throw new AppError('not_found');
    if (made.sha256 !== null) return made;
    if (performance.now() > last) throw new AppError('unavailable');
    // Another process makes it at the same time.
    await sleep(LOOK_EVERY);
  }
}

async function makeByFetch(context: Context, { companyId, id }: ExportRow): Promise<void> {
  const begun = await repository.beginByFetch(context.db, { companyId, id });
  if (!begun) return;
  try {
    const file = await make(context, begun);
    await repository.finish(context.db, begun, file);
  } catch (error) {
    if (error instanceof Overtaken) return;
    await repository.endLease(context.db, begun);
    throw error;
  }
}

/**
 * Makes a large export anew from its beginning, with the moment of its row. A stopped or killed making leaves parts
 * that nobody sees, and that the next one removes.
 * @throws the failure, until the export is given up
 */
async function makeByJob(
  context: Context,
  { companyId, exportUuid }: { readonly companyId: number; readonly exportUuid: string },
  signal: AbortSignal,
): Promise<void> {
  const { db, log } = context;
  const begun = await repository.beginByJob(db, companyId, exportUuid);
  if (!begun) return;
  // Killed as often as it was tried.
  if (begun.failures > MOST_FAILURES) return giveUp(context, begun);
  try {
    await finishByJob(context, begun, await make(context, begun, signal));
  } catch (error) {
    if (error instanceof Overtaken) {
      const { deletedAt } = await repository.requireExport(db, companyId, exportUuid);
      if (deletedAt !== null) await removeFile(context, begun);
      return;
    }
    const waits = isOutside(error);
    const isOver = waits
      ? Date.now() - begun.createdAt.getTime() > LONGEST_WAIT
      : begun.failures === MOST_FAILURES;
    if (signal.aborted || (waits && !isOver)) await repository.forgiveStop(db, begun);
    else if (isOver) {
      log.error({ err: error, export: exportUuid }, 'an export failed for good');
      return giveUp(context, begun);
    }
    throw error;
  }
}

async function finishByJob(context: Context, begun: ExportRow, file: MadeFile): Promise<void> {
  const { companyId, uuid: exportUuid, sentTo } = begun;
  await context.db.transaction().execute(async (trx) => {
    if (!(await repository.finish(trx, begun, file))) throw new Overtaken();
    await enqueueMails(context, trx, { companyId, exportUuid, hasLink: sentTo !== null });
  });
}

async function giveUp(context: Context, row: ExportRow): Promise<void> {
  const { companyId, uuid: exportUuid } = row;
  await context.db.transaction().execute(async (trx) => {
    if (!(await repository.giveUp(trx, row))) return;
    await enqueueMails(context, trx, { companyId, exportUuid, hasLink: false });
  });
  await removeFile(context, row);
}

async function enqueueMails(
  { jobs }: Pick<Context, 'jobs'>,
  db: Context['db'],
  {
    companyId,
    exportUuid,
    hasLink,
  }: { readonly companyId: number; readonly exportUuid: string; readonly hasLink: boolean },
): Promise<void> {
  for (const mail of hasLink ? (['OWNER', 'LINK'] as const) : (['OWNER'] as const)) {
    const messageUuid = randomUUID();
    await jobs.enqueue(db, exportMailJob, { companyId, exportUuid, mail, messageUuid });
  }
}

/** Prints an export and stores its file. @throws Overtaken, the signal's reason */
async function make(context: Context, row: ExportRow, signal?: AbortSignal): Promise<MadeFile> {
  await removeEarlier(context, row);
  const { kind } = row;
  if (kind === 'ARCHIVE') {
    return withAllPrinted(
      async () => printForArchive(context, row, signal),
      async (printedTo) => makeOf(context, { row, listed: null, printedTo }, signal),
    );
  }
  const { db } = context;
  const task = {
    row,
    listed: row.filter && (await contents.findListed(db, row)),
    ranges: await contents.findRanges(db, row),
    basis: await contents.findBasis(db, row),
  };
  return makeOf(context, task, signal);
}

/** Prints what was never printed, and notes the progress. Returns the last document's id. @throws Overtaken */
async function printForArchive(
  context: Context,
  row: ExportRow,
  signal?: AbortSignal,
): Promise<number> {
  const passes = 2 * Math.max(1, row.invoices + row.creditNotes);
  let [last, printed, notedAt] = [0, 0, performance.now()];
  for await (const { id, kind } of printAllMissing(context, row.companyId)) {
    signal?.throwIfAborted();
    last = id;
    if (kind === 'INVOICE' || kind === 'CREDIT_NOTE') printed += 1;
    if (performance.now() - notedAt < NOTED_EVERY) continue;
    notedAt = performance.now();
    if (!(await repository.noteProgress(context.db, row, Math.min(1, printed / passes)))) {
      throw new Overtaken();
    }
  }
  return last;
}

async function makeOf(context: Context, task: FileTask, signal?: AbortSignal): Promise<MadeFile> {
  const { kind } = task.row;
  const { directUrl: url } = context;
  // A job makes what is too large to be made while somebody waits for it. The embedded database belongs to this process.
  if (signal && kind !== 'DOCUMENTS' && url !== null) {
    const { documentStore, dataDir } = context.config;
    return makeFileInProcess({ ...task, url, documentStore, dataDir, kind }, signal);
  }
  const print = (order: PrintOrder) => printerOf(kind).print(context, order);
  return makeFile(context, task, print, () => signal?.throwIfAborted());
}
