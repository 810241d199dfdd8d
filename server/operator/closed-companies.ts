import { todayInOslo } from '../../domain/date.ts';
import { findCompanyByUuid } from '../account/member.repository.ts';
import { holdCompany } from '../company/company-state.repository.ts';
import { keepLonger, listClosings, type ListedClosing } from '../closing/closing.repository.ts';
import { reopen } from '../closing/closing.service.ts';
import { AppError, sentenceOf } from '../errors.ts';
import type { Db } from '../platform/db/database.ts';
import {
  OperatorError,
  refuseWords,
  UsageError,
  type OperatorContext,
  type Output,
} from './command.ts';

/** Lists closed companies, the earliest to go first. */
export async function listClosed(
  { db }: OperatorContext,
  words: readonly string[],
  output: Output,
): Promise<number> {
  refuseWords(words);
  const closed = await listClosings(db);
  for (const company of closed) output.line(lineOf(company));
  if (closed.length === 0) output.line('No company is closed.');
  return 0;
}

function lineOf({ uuid, name, closedAt, ...rest }: ListedClosing): string {
  const { booksEndOn, deletesOn, keep, keptUntil, strippedAt } = rest;
  const what = [`${uuid}  ${name ?? ''}`.trimEnd(), `closed ${todayInOslo(closedAt)}`];
  if (strippedAt === null) what.push(`can be opened again until ${deletesOn}`);
  if (keep && keptUntil !== null) what.push(`books kept until ${keptUntil}`);
  what.push(`deleted ${booksEndOn}`);
  return what.join(', ');
}

/** Opens a closed company again. */
export async function reopenCompany(
  { db }: OperatorContext,
  [word, ...rest]: readonly string[],
  output: Output,
): Promise<number> {
  refuseWords(rest);
  const companyId = await findClosedCompany(db, word);
  try {
    await db.transaction().execute(async (trx) => {
      if (!(await holdCompany(trx, companyId))) throw new AppError('changed_meanwhile');
      await reopen(trx, companyId);
    });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new OperatorError(`${sentenceOf(error, 'en')}.`, { cause: error });
  }
  output.line('It is open again. Keys, links and invitations have to be made anew.');
  return 0;
}

/** Keeps the books of a closed company for longer. */
export async function keepUntil(
  { db }: OperatorContext,
  [word, date, ...rest]: readonly string[],
  output: Output,
): Promise<number> {
  refuseWords(rest);
  const companyId = await findClosedCompany(db, word);
  const isDate = /^\d{4}-\d{2}-\d{2}$/.test(date ?? '') && !Number.isNaN(Date.parse(date ?? ''));
  if (date === undefined || !isDate) throw new UsageError('Until which day? YYYY-MM-DD');
  if (!(await keepLonger(db, companyId, date))) {
    throw new OperatorError('Its books are kept as long already, or not kept here.');
  }
  output.line(`Its books are kept until ${date}.`);
  return 0;
}

async function findClosedCompany(db: Db, word: string | undefined): Promise<number> {
  if (word === undefined || !/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(word)) {
    throw new UsageError('The uuid of a company is needed');
  }
  const companyId = await findCompanyByUuid(db, word.toLowerCase());
  if (companyId === null) throw new OperatorError(`There is no company ${word}.`);
  return companyId;
}
