import { asciiEmail } from '../../../domain/email.ts';
import type { InvoiceKind } from '../../../domain/invoice/invoice.status.ts';
import { hashText } from '../../document/document-text.ts';
import { hexOf, sha256 } from '../../platform/crypto.ts';
import type { CopiedRow } from '../../platform/db/company-rows.ts';
import type { ArchiveFile } from './archive-file.ts';
import { DATA_FOLDER, dataPath, documentPath, type NamedInvoice } from './archive-names.ts';
import { ARCHIVED_TABLES } from './archive-tables.ts';
import { damagedArchive, type Manifest } from './manifest.ts';
import { hexOfRow } from './snapshot.ts';
import { readJsonLines } from './spool.ts';

/** Tables whose rows name a file of the archive by its path. */
export const TABLES_WITH_FILES: ReadonlySet<string> = new Set([
  'company_logo',
  'document_file',
  'attachment',
  'quote_document',
  'quote_attachment',
]);

/**
 * Checks an archive by itself, before anything is written (EXP-46): as many rows as the manifest says, an unbroken series of
 * numbers, a chain of hashes that ends in the last one, and files that are what the rows say.
 *
 * @throws ArchiveError
 */
export async function checkArchive(archive: ArchiveFile): Promise<void> {
  const { about } = archive;
  const invoices: NamedInvoice[] = [];
  requireTables(archive);
  for (const { name } of ARCHIVED_TABLES) {
    let count = 0;
    const chain = checkingChain(archive, invoices);
    for await (const row of rowsIn(archive, name)) {
      count += 1;
      if (name === 'invoice') invoices.push(nameOf(row));
      if (name === 'document') chain.add(row);
      if (TABLES_WITH_FILES.has(name)) requireFile(archive, row);
      requireOwn(about, name, row, count);
    }
    const stated = about.counts[name] ?? 0;
    if (count !== stated) {
      throw damagedArchive(`${name} has ${count} rows of ${stated}`);
    }
    if (name === 'document' && chain.end() !== about.lastHash) {
      throw damagedArchive('the chain of documents does not end in its last hash');
    }
  }
  requireSeries(archive, invoices);
}

/** Every file of rows is of a table that is archived (EXP-46). */
function requireTables({ paths }: ArchiveFile): void {
  const known = new Set(ARCHIVED_TABLES.map(({ name }) => dataPath(name)));
  const other = paths.find((path) => path.startsWith(DATA_FOLDER) && !known.has(path));
  if (other !== undefined) throw damagedArchive(`${other} is of no table of an archive`);
}

/** An archive is of one company and its account, which are those that the manifest names (EXP-46). */
function requireOwn({ company }: Manifest, table: string, row: CopiedRow, count: number): void {
  if (table !== 'account' && table !== 'company') return;
  if (count > 1) throw damagedArchive(`row ${count} of ${table} is of another one`);
  const isNamed =
    table === 'account'
      ? row['email'] === company.email && company.email === asciiEmail(company.email.toLowerCase())
      : row['company_name'] === company.name && row['org_number'] === company.orgNumber;
  if (!isNamed) throw damagedArchive(`the manifest names another ${table}`);
}

/** The rows of a table in the archive. */
export async function* rowsIn(archive: ArchiveFile, table: string): AsyncGenerator<CopiedRow> {
  // A table that is newer than the archive.
  if (archive.about.counts[table] === undefined) return;
  yield* readJsonLines<CopiedRow>(archive.content(dataPath(table)));
}

function nameOf(row: CopiedRow): NamedInvoice {
  return {
    kind: row['kind'] as InvoiceKind,
    number: row['invoice_number'] as number | null,
    uuid: '',
    year: String(row['issue_date']).slice(0, 4),
  };
}

/** Documents are archived in the order in which they were issued. */
function checkingChain(archive: ArchiveFile, invoices: readonly NamedInvoice[]) {
  const reminders = new Map<number, number>();
  let last: Buffer | null = null;
  return {
    add(row: CopiedRow) {
      const rank = Number(row['invoice_id']);
      const invoice = invoices[rank - 1];
      if (!invoice || invoice.number === null) throw damagedArchive('a document has no invoice');
      const content = String(row['content']);
      let reminder: number | null = null;
      if (row['kind'] === 'REMINDER') {
        reminder = (reminders.get(rank) ?? 0) + 1;
        reminders.set(rank, reminder);
      } else {
        const previous = row['previous_hash'] === null ? null : hexOfRow(row['previous_hash']);
        const hash = hashText(content, last);
        if (previous !== (last && hexOf(last)) || hexOfRow(row['hash']) !== hexOf(hash)) {
          throw damagedArchive(`the chain of documents is broken at number ${invoice.number}`);
        }
        last = Buffer.from(hash);
      }
      const path = documentPath(invoice, reminder, 'TEXT');
      if (archive.hashOf(path) !== hexOf(sha256(content))) {
        throw damagedArchive(`${path} is not what was issued`);
      }
    },
    end: (): string | null => last && hexOf(last),
  };
}

function requireFile(archive: ArchiveFile, row: CopiedRow): void {
  // A quote that was never printed.
  if (row['path'] === null && row['sha256'] === null) return;
  const path = String(row['path']);
  if (archive.hashOf(path) !== hexOfRow(row['sha256'])) {
    throw damagedArchive(`${path} is not the file that was kept`);
  }
}

function requireSeries(
  { about: { numbers } }: ArchiveFile,
  invoices: readonly NamedInvoice[],
): void {
  const given = invoices.flatMap(({ number }) => (number === null ? [] : [number]));
  const sorted = given.toSorted((one, other) => one - other);
  const [first = null, last = null] = [sorted[0], sorted.at(-1)];
  const gap = sorted.find((number, i) => number !== (first ?? 0) + i);
  if (gap !== undefined) throw damagedArchive(`the numbers are broken at ${gap}`);
  if (first !== numbers.first || last !== numbers.last) {
    throw damagedArchive('the first or the last number is missing');
  }
}
