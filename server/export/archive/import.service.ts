import { setTimeout as sleep } from 'node:timers/promises';

import { findAccountId } from '../../account/account.repository.ts';
import { insertFirstOwner } from '../../account/member.repository.ts';
import { hasCompanyOf } from '../../company/profile.repository.ts';
import { checkLedger } from '../../document/ledger.service.ts';
import { followRows } from '../../invoice/invoice-series.repository.ts';
import { hexOf } from '../../platform/crypto.ts';
import {
  CopiedRowError,
  writeCompany,
  type CompanyWriter,
  type CopiedRow,
} from '../../platform/db/company-rows.ts';
import { recountQuotes } from '../../quote/quote-part.repository.ts';
import type { Db, Trx } from '../../platform/db/database.ts';
import { isDeadlock, isLockTimeout, isUniqueViolation } from '../../platform/db/database-errors.ts';
import { MIGRATIONS } from '../../platform/db/migrate.ts';
import { rootCause } from '../../platform/log/outside-error.ts';
import { checkArchive, rowsIn, TABLES_WITH_FILES } from './archive-check.ts';
import { withArchive, type ArchiveFile } from './archive-file.ts';
import { ARCHIVED_TABLES, STOPPED } from './archive-tables.ts';
import { ArchiveError, damagedArchive, newerArchive, type Manifest } from './manifest.ts';

/** How often a table is waited for that others write, and the pause in between (milliseconds). */
const TRIES = 60;
const PAUSE = 1000;

/**
 * Puts an archived company into this installation, as a whole or not at all (EXP-45). Everything is checked before
 * anything is written, and the books once more before the commit.
 *
 * @param file the path of the archive
 * @param report tells what is being done
 * @throws ArchiveError with the reason why it was refused
 */
export async function importArchive(
  db: Db,
  file: string,
  report: (text: string) => void,
): Promise<Manifest> {
  return withArchive(file, async (archive) => {
    const { about } = archive;
    if (!Object.hasOwn(MIGRATIONS, about.schema)) throw newerArchive(about.schema);
    await checkArchive(archive);
    await requireAbsent(db, about);
    report('The archive is whole. It is being written …');
    await write(db, archive);
    return about;
  });
}

async function requireAbsent(db: Db, { company: { orgNumber } }: Manifest): Promise<void> {
  if (orgNumber !== null && (await hasCompanyOf(db, orgNumber))) {
    throw new ArchiveError(
      `There is a company with the organisation number ${orgNumber} here already. Nothing was changed.`,
    );
  }
}

async function write(db: Db, archive: ArchiveFile): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await db.transaction().execute(async (trx) => writeAll(trx, archive));
      return;
    } catch (error) {
      if (tries < TRIES && (isLockTimeout(error) || isDeadlock(error))) await sleep(PAUSE);
      else throw explained(error);
    }
  }
}

async function writeAll(trx: Trx, archive: ArchiveFile): Promise<void> {
  const writer: CompanyWriter = await writeCompany(trx, ARCHIVED_TABLES);
  for (const { name } of ARCHIVED_TABLES) {
    const filled = TABLES_WITH_FILES.has(name) ? ['home', 'content'] : [];
    const known = name === 'account' ? await findAccountId(trx, archive.about.company.email) : null;
    // An account of its owner that is here goes on as it is (EXP-45).
    if (known !== null) writer.adopt(name, known);
    else await writer.write(name, stopped(name, withContent(archive, name)), filled);
  }
  const companyId = writer.idOf('company', 1);
  await followRows(trx, companyId);
  await recountQuotes(trx, companyId);
  await writer.finish();
  await insertFirstOwner(trx, companyId);
  for await (const { fault, lastHash } of checkLedger(trx, companyId)) {
    if (fault !== null) {
      throw new ArchiveError(
        `The books in the archive are not in order: ${fault}. Nothing was changed.`,
      );
    }
    if (lastHash !== archive.about.lastHash) throw damagedArchive('its last hash differs');
  }
}

/** Stops again, as the archive did: a changed one could say otherwise (EXP-47). */
async function* stopped(table: string, rows: AsyncIterable<CopiedRow>): AsyncGenerator<CopiedRow> {
  for await (const row of rows) {
    // Archives of the version before say since when the company was there.
    if (table === 'company') delete row['created_at'];
    yield STOPPED[table]?.(row) ?? row;
  }
}

/** Rows with the bytes of their files, which come to stand in the database. */
async function* withContent(archive: ArchiveFile, table: string): AsyncGenerator<CopiedRow> {
  if (!TABLES_WITH_FILES.has(table)) {
    yield* rowsIn(archive, table);
    return;
  }
  for await (const { path, ...row } of rowsIn(archive, table)) {
    const content = typeof path === 'string' ? `\\x${hexOf(await archive.read(path))}` : null;
    const home = content && 'DATABASE';
    yield table === 'company_logo' ? { ...row, content } : { ...row, home, content };
  }
}

/** SQLSTATE classes for values, constraints and names that PostgreSQL refuses (appendix A). */
const REFUSED = /^(22|23|42)/;

function explained(error: unknown): unknown {
  if (isUniqueViolation(error)) {
    return new ArchiveError(
      'Something of this company is here already. A company is restored into an installation without it. Nothing was changed.',
      { cause: error },
    );
  }
  const cause: NodeJS.ErrnoException = rootCause(error);
  if (error instanceof CopiedRowError || REFUSED.test(cause.code ?? '')) {
    return damagedArchive(cause.message.split('\n', 1)[0] ?? '', error);
  }
  return error;
}
