import type { Actor, Context } from '../../context.ts';
import { formatBankAccount } from '../../../domain/parties.ts';
import { isUniqueViolation } from '../../platform/db/database-errors.ts';
import { AppError } from '../../errors.ts';
import { findNamedAccounts } from '../../invoice/invoice.service.ts';
import { findAccounts } from '../../company/profile.service.ts';
import { insertEntries, sumOutcomes } from './bank-entry.repository.ts';
import { toEntryRow } from './bank-entry.rows.ts';
import * as repository from './bank-file.repository.ts';
import type { FileRow } from './bank-file.repository.ts';
import { judgeEntries } from './judging.service.ts';
import { Dues } from './match/match.ts';
import { BankFileFault, BankFileNotRead } from './read/bank-file-fault.ts';
import type { BankFileReader, BankFileReading } from './read/read-entry.ts';
import { removeIncomplete } from './removal.service.ts';

interface Upload {
  readonly name: string;
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Aborted when the caller disconnects. */
  readonly signal: AbortSignal;
}

/**
 * Reads a file and returns the preview of its booking; a file read before is returned again (BANK-7). Nothing is
 * stored of a file that has a fault, is interrupted, or belongs to another company's account (BANK-6).
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
  const id = await repository.insertFile(db, companyId, {
    sha256: summary.sha256,
    name,
    format: summary.format,
    accounts: summary.accounts.map(({ account }) => account),
    fromDate: summary.from,
    toDate: summary.to,
    count: summary.count,
    ignored: Object.values(summary.ignored).reduce((sum, count) => sum + count, 0),
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
    if (error instanceof BankFileNotRead)
      throw new AppError('bank_file_not_read', { cause: error });
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
