import { hash } from 'node:crypto';

import type { BankFileFormat } from '../../../domain/bank-file/bank-file.schema.ts';
import { formatBankAccount } from '../../../domain/parties.ts';
import { lockCompany } from '../../company/profile.repository.ts';
import { findAccounts } from '../../company/profile.service.ts';
import type { Actor, Context } from '../../context.ts';
import { AppError } from '../../errors.ts';
import { findNamedAccounts } from '../../invoice/invoice-payable.repository.ts';
import { keyedHash } from '../../platform/crypto.ts';
import type { Db } from '../../platform/db/database.ts';
import { isUniqueViolation } from '../../platform/db/database-errors.ts';
import { tryEach } from '../../platform/jobs/job.ts';
import { TaskFailed } from '../../platform/tasks/task-runner.ts';
import {
  deleteEntries,
  insertEntries,
  sumOutcomes,
  type EntryRow,
} from './bank-entry.repository.ts';
import type { FileRow } from './bank-file.repository.ts';
import { judgeEntries } from './judging.service.ts';
import { Dues } from './match/match.ts';
import { BankFileFault } from './read/bank-file-fault.ts';
import type { BankFileReader, BankFileReading, ReadEntry } from './read/read-entry.ts';
import * as repository from './bank-file.repository.ts';

/** Longer texts are cut. */
const TEXT_LENGTH = 2000;
/** Entries deleted per statement: bounds how long others of the company wait. */
const REMOVED_AT_ONCE = 5000;
/** Minutes after which an incomplete file counts as interrupted. */
const CUT_OFF_AFTER = 60;
const PREVIEW_DAYS = 30;
const PREVIEWS_KEPT = 20;

interface Upload {
  readonly name: string;
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Aborted when the caller disconnects. */
  readonly signal: AbortSignal;
}

/**
 * Reads a file and returns the preview of its booking; a file read before, or meanwhile, is returned again (BANK-7).
 * Nothing is stored of a file that has a fault, is interrupted, or belongs to another company's account (BANK-6).
 *
 * @throws AppError validation_failed with the faults and their lines, bank_file_not_read, unavailable
 */
export async function previewFile(
  context: Context,
  reader: BankFileReader,
  { companyId }: Actor,
  { name, bytes, signal }: Upload,
): Promise<{ file: FileRow; isOld: boolean }> {
  const reading = await read(reader, companyId, bytes, signal);
  const { summary } = reading;
  const { db } = context;
  const old = await repository.findByContent(db, companyId, summary.sha256);
  if (old) return { file: old, isOld: true };
  await refuseForeignAccounts(context, companyId, summary.accounts);
  const row = {
    sha256: summary.sha256,
    name,
    format: summary.format,
    accounts: summary.accounts.map(({ account }) => account),
    fromDate: summary.from,
    toDate: summary.to,
    count: summary.count,
    ignored: Object.values(summary.ignored).reduce((sum, count) => sum + count, 0),
  };
  const id = await db.transaction().execute(async (trx) => {
    // Its bytes may have taken long to come: the lock judges the caller again.
    await lockCompany(trx, companyId);
    return repository.insertFile(trx, companyId, row);
  });
  try {
    await addEntries(context, companyId, id, reading, signal);
    const outcomes = await sumOutcomes(db, companyId, id);
    await repository.updateFile(db, companyId, id, { state: 'PREVIEW', outcomes });
  } catch (error) {
    await removeIncomplete(db, companyId, id);
    const twin = isUniqueViolation(error)
      ? await repository.findByContent(db, companyId, summary.sha256)
      : null;
    if (twin) return { file: twin, isOld: true };
    throw error;
  }
  const file = await repository.findByContent(db, companyId, summary.sha256);
  if (!file) throw new Error('The file that was read is not there');
  return { file, isOld: false };
}

async function read(
  reader: BankFileReader,
  companyId: number,
  bytes: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<BankFileReading> {
  try {
    return await reader.read(bytes, { companyId, signal });
  } catch (error) {
    if (error instanceof BankFileFault) {
      throw new AppError('validation_failed', {
        detail: error.faults.map(({ message, line, element }) => ({
          message: element === undefined ? message : `${element}: ${message}`,
          line,
        })),
      });
    }
    if (error instanceof TaskFailed) throw new AppError('bank_file_not_read', { cause: error });
    throw error;
  }
}

async function refuseForeignAccounts(
  { db }: Context,
  companyId: number,
  accounts: BankFileReading['summary']['accounts'],
): Promise<void> {
  const own = new Set(await findAccounts(db, companyId));
  const others = accounts.filter(({ account }) => !own.has(account));
  if (others.length === 0) return;
  // Customers go on paying to the accounts printed on their invoices.
  const numbers = others.map(({ account }) => account);
  const named = new Set(await findNamedAccounts(db, companyId, numbers));
  const foreign = others.filter(({ account }) => !named.has(account));
  if (foreign.length === 0) return;
  throw new AppError('validation_failed', {
    detail: foreign.map(({ account, line }) => ({
      message: `Filen gjelder konto ${formatBankAccount(account)}, som verken er i profilen eller på noen av bedriftens fakturaer`,
      line,
    })),
  });
}

/** Adds the entries in batches, each in its own transaction, to keep locks short. */
async function addEntries(
  { db, config }: Context,
  companyId: number,
  fileId: number,
  { summary, batches }: BankFileReading,
  signal: AbortSignal,
): Promise<void> {
  const place = { secretKey: config.secretKey, companyId, fileId, format: summary.format };
  const course = { fileId, dues: new Dues(), keys: new Set<string>() };
  let position = 0;
  for await (const batch of batches) {
    signal.throwIfAborted();
    const entries = batch.map((entry) => toEntryRow(place, (position += 1), entry));
    const judged = await judgeEntries(db, companyId, entries, course);
    await db.transaction().execute(async (trx) => insertEntries(trx, companyId, judged));
  }
}

interface Place {
  readonly secretKey: string;
  readonly companyId: number;
  readonly fileId: number;
  readonly format: BankFileFormat;
}

/** Maps an entry from the reader to a row. */
function toEntryRow(
  { secretKey, companyId, fileId, format }: Place,
  position: number,
  read: ReadEntry,
): EntryRow {
  const { kind, totalReason, kids, invoiceNumbers, payerAccount, statementLine } = read;
  return {
    fileId,
    position,
    format,
    kind: kind === 'TOTAL' && totalReason === 'NO_DETAILS' ? 'BATCH' : kind,
    date: read.date,
    amount: read.amount,
    account: read.account,
    kid: read.kid,
    kids: kids.length > 1 ? kids : null,
    invoiceNumbers: invoiceNumbers.length > 0 ? [...invoiceNumbers] : null,
    text: readable(read.text),
    payer: readable(read.payer),
    payerHash: payerAccount === null ? null : hashPayerAccount(secretKey, companyId, payerAccount),
    // A reference keeps the bank's characters, because it identifies money.
    reference: cleaned(read.reference),
    lineReference: cleaned(statementLine.reference),
    lineDate: statementLine.date,
    lineSum: statementLine.sum,
    key: keyOf(read, fileId),
    fingerprint: read.fingerprint,
    occurrence: read.occurrence,
  };
}

/**
 * A keyed hash (hex) of a payer's account, different for each company (BANK-21). It reveals neither the account nor
 * that two companies were paid from the same one.
 */
function hashPayerAccount(secretKey: string, companyId: number, account: string): string {
  return keyedHash(secretKey, 'payer-account', `${companyId}\0${account}`).toString('hex');
}

/**
 * Without a reference of the bank another file may hold other money with equal content. The key then includes the
 * file, and an equal fingerprint makes the entry a possible copy for a person to decide (BANK-17).
 */
function keyOf({ key, isKeyByReference }: ReadEntry, fileId: number): string {
  return isKeyByReference ? key : hash('sha256', `${fileId} ${key}`, 'hex').slice(0, key.length);
}

/** As `cleaned`, for text that only people read. */
function readable(text: string | null): string | null {
  return cleaned(text?.normalize('NFC') ?? null);
}

/** Removes characters that the database cannot store. */
function cleaned(text: string | null): string | null {
  if (text === null) return null;
  const plain = text
    .toWellFormed()
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, TEXT_LENGTH);
  return plain === '' ? null : plain.toWellFormed();
}

/** Deletes a file without booked entries. @throws AppError not_found, bank_file_booked */
export async function forgetFile(
  { db }: Context,
  { companyId }: Actor,
  uuid: string,
): Promise<void> {
  const id = await db.transaction().execute(async (trx) => {
    const file = await repository.lockFile(trx, companyId, uuid);
    if (file.state !== 'PREVIEW') throw new AppError('bank_file_booked');
    await repository.updateFile(trx, companyId, file.id, { state: 'INCOMPLETE' });
    return file.id;
  });
  await removeIncomplete(db, companyId, id);
}

/** Deletes a hidden file in batches. */
async function removeIncomplete(db: Db, companyId: number, id: number): Promise<void> {
  while (await deleteEntries(db, companyId, id, REMOVED_AT_ONCE));
  await repository.deleteFile(db, companyId, id);
}

/** Deletes files whose reading or removal was interrupted. */
export async function removeCutOff({ db }: Pick<Context, 'db'>): Promise<void> {
  await tryEach(await repository.findCutOff(db, CUT_OFF_AFTER), async ({ companyId, id }) =>
    removeIncomplete(db, companyId, id),
  );
}

/** Deletes previews after 30 days, and all but the newest 20 of a company (BANK-8). */
export async function removeOldPreviews({ db }: Pick<Context, 'db'>): Promise<void> {
  const old = await repository.findOldPreviews(db, { days: PREVIEW_DAYS, kept: PREVIEWS_KEPT });
  await tryEach(old, async ({ companyId, id }) => {
    if (await repository.hidePreview(db, companyId, id)) await removeIncomplete(db, companyId, id);
  });
}
