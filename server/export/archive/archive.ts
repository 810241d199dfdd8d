import packageFile from '../../../package.json' with { type: 'json' };
import { todayInOslo } from '../../../domain/date.ts';
import type { Context } from '../../context.ts';
import { printMissing, type Printer } from '../../document/document-file.service.ts';
import { readBytes } from '../../document/file-bytes.service.ts';
import { readContent, type FileName } from '../../document/file-home.repository.ts';
import { printMissingQuotes } from '../../document/quote-document.service.ts';
import type { CopiedRow } from '../../platform/db/company-rows.ts';
import { MIGRATIONS } from '../../platform/db/migrate.ts';
import { printBooks } from '../book-formats.ts';
import type { ExportScope } from '../books.ts';
import { zipOf, type ZipEntry } from '../zip.ts';
import { dataPath, documentPath, WORKBOOK_PATH } from './archive-names.ts';
import { hashing, listedFile } from './hashing.ts';
import {
  ARCHIVE_FORMAT,
  MANIFEST_PATH,
  PRODUCT,
  writeManifestHead,
  type Manifest,
} from './manifest.ts';
import { readmePages } from './readme-page.ts';
import {
  DocumentsIssued,
  hexOfRow,
  requireAt,
  rowsOf,
  takeSnapshot,
  type Snapshot,
} from './snapshot.ts';
import { Spool } from './spool.ts';

/** The parts of the product that an archive needs. */
export interface ArchiveStores extends Pick<Context, 'db' | 'objectStore'> {
  /** Temporary files are on the disk of `DATA_DIR`: `/tmp` may be small, and in memory (EXP-42). */
  readonly config: Pick<Context['config'], 'dataDir'>;
}

/** An archive to print. */
interface Archived {
  readonly companyId: number;
  /** The last document that has its PDF; absent where an archive may lack some. */
  readonly printedTo?: number;
}

/** A document that has its PDF now. Those of quotes come first, without an id. */
export interface PrintedDocument {
  readonly id: number;
  readonly kind: string;
}

/** Prints what was never printed of a company, and yields each document (EXP-43). @throws as `printMissing` */
export async function* printAllMissing(
  printer: Printer,
  companyId: number,
): AsyncGenerator<PrintedDocument> {
  for await (const { kind } of printMissingQuotes(printer, companyId)) yield { id: 0, kind };
  yield* printMissing(printer, companyId);
}

/**
 * Prints the documents that have no PDF yet, and then the archive; both anew when documents were issued in between.
 *
 * @param print returns the id of the last document
 */
export async function withAllPrinted<T>(
  print: () => Promise<number>,
  work: (printedTo: number) => Promise<T>,
): Promise<T> {
  for (;;) {
    try {
      return await work(await print());
    } catch (error) {
      if (!(error instanceof DocumentsIssued)) throw error;
    }
  }
}

/** A file of the archive, before it is listed in the manifest. */
type Entry = Omit<ZipEntry, 'modifiedAt'>;

/**
 * Everything of a company as one ZIP, in parts (EXP-40): its rows as they were at one moment, and the files of its
 * documents. The manifest comes last, for it has the hashes of all the others. It breaks off with the error where one happens.
 *
 * @param count is told of documents whose files were printed, for the progress; of 0 of them while rows are read
 * @throws ObjectStoreAway; DocumentsIssued, before the first byte
 */
export async function* printArchive(
  stores: ArchiveStores,
  { companyId, printedTo }: Archived,
  madeAt: Date,
  count: (documents: number) => void = () => undefined,
): AsyncGenerator<Uint8Array> {
  const { dataDir } = stores.config;
  const wanted = { companyId, printedTo, folder: dataDir };
  const snapshot = await takeSnapshot(stores.db, wanted, () => count(0));
  try {
    const about = describe(snapshot, madeAt);
    yield* zipOf(
      listed(entriesOf({ ...stores, companyId, count }, snapshot, about), {
        about,
        modifiedAt: madeAt,
        folder: dataDir,
      }),
    );
  } finally {
    await snapshot.close();
  }
}

function describe({ account, company, counts, invoices, sums }: Snapshot, madeAt: Date): Manifest {
  const lastHash = company['last_document_hash'];
  const last = company['last_invoice_number'] as number | null;
  return {
    format: ARCHIVE_FORMAT,
    product: { name: PRODUCT, version: packageFile.version },
    schema: Object.keys(MIGRATIONS).at(-1) ?? '',
    company: {
      email: String(account['email']),
      name: company['company_name'] as string | null,
      orgNumber: company['org_number'] as string | null,
    },
    madeAt: madeAt.toISOString(),
    counts,
    sums,
    numbers: {
      first: invoices.reduce<number | null>((first, invoice) => {
        const number = invoice?.number ?? null;
        return first === null || (number !== null && number < first) ? number : first;
      }, null),
      last,
    },
    lastHash: lastHash === null ? null : hexOfRow(lastHash),
  };
}

/** Adds the manifest, which lists the entries before it. */
async function* listed(
  entries: AsyncIterable<Entry>,
  {
    about,
    modifiedAt,
    folder,
  }: { readonly about: Manifest; readonly modifiedAt: Date; readonly folder: string },
): AsyncGenerator<ZipEntry> {
  const list = await Spool.open(folder);
  try {
    let files = 0;
    for await (const entry of entries) {
      const { content } = entry;
      // A stream for each of many small files would leave a gigabyte of garbage behind.
      const isWhole = content instanceof Uint8Array;
      const file = isWhole ? listedFile(content) : { bytes: 0, sha256: '' };
      yield { ...entry, content: isWhole ? content : hashing(content, file), modifiedAt };
      await list.line((files === 0 ? '' : ',') + JSON.stringify({ path: entry.path, ...file }));
      files += 1;
    }
    yield { path: MANIFEST_PATH, content: manifestText(about, list), modifiedAt };
  } finally {
    await list.close();
  }
}

async function* manifestText(about: Manifest, list: Spool): AsyncGenerator<Uint8Array> {
  yield Buffer.from(`${writeManifestHead(about)},\n  "files": [\n`);
  yield* list.content();
  yield Buffer.from(']\n}\n');
}

async function* entriesOf(
  stores: Company,
  snapshot: Snapshot,
  about: Manifest,
): AsyncGenerator<Entry> {
  yield* readmePages(snapshot, about);
  for (const [table, spool] of snapshot.tables) {
    yield { path: dataPath(table), content: spool.content() };
  }
  for await (const row of rowsOf(snapshot, 'company_logo')) yield await early(snapshot, row);
  yield* documents(stores, snapshot);
  yield* files(stores, snapshot, 'attachment', 'ATTACHMENT');
  yield* files(stores, snapshot, 'quote_document', 'QUOTE');
  yield* files(stores, snapshot, 'quote_attachment', 'QUOTE_ATTACHMENT');
  if (about.numbers.first !== null) yield workbook(stores, snapshot, about);
}

/** The books of all time as they were at the snapshot's moment; without documents there is no seller to name. */
function workbook({ db, companyId }: Company, snapshot: Snapshot, about: Manifest): Entry {
  const { madeAt, company, numbers } = about;
  const today = todayInOslo(new Date(madeAt));
  const scope: ExportScope = {
    companyId,
    from: null,
    to: snapshot.lastDate > today ? snapshot.lastDate : today,
    filter: null,
    lastNumber: numbers.last ?? 0,
    lastPaymentId: snapshot.ids.get('payment')?.at(-1) ?? 0,
  };
  const order = { scope, madeBy: company.email, madeAt, count: () => undefined };
  return { path: WORKBOOK_PATH, content: printBooks(db, 'XLSX', order), stored: true };
}

interface Company extends ArchiveStores {
  readonly companyId: number;
  readonly count: (documents: number) => void;
}

async function early(snapshot: Snapshot, row: CopiedRow): Promise<Entry> {
  const path = String(row['path']);
  const read = snapshot.early.get(path);
  if (!read) throw new Error(`${path} is not there`);
  return { path, content: await read(), stored: true };
}

/** The issued texts, each followed by the files that were made of it. */
async function* documents(stores: Company, snapshot: Snapshot): AsyncGenerator<Entry> {
  const files = rowsOf(snapshot, 'document_file');
  let next = await files.next();
  let rank = 0;
  for await (const row of rowsOf(snapshot, 'document')) {
    rank += 1;
    const { invoice, reminder } = requireAt(snapshot.documents, rank);
    const path = documentPath(requireAt(snapshot.invoices, invoice), reminder, 'TEXT');
    // Stored: so many small files cost more time to deflate than they save in size.
    yield { path, content: Buffer.from(String(row['content'])), stored: true };
    const id = snapshot.ids.get('document')?.[rank - 1] ?? 0;
    for (; !next.done && next.value['document_id'] === rank; next = await files.next()) {
      const format = next.value['format'] as 'PDF' | 'EHF';
      yield await fileEntry(stores, next.value, { id, format });
    }
    // Reminders are not among the documents that an export counts.
    if (reminder === null) stores.count(1);
  }
}

/** The files of a table whose rows are one each: what is sent along, and what was printed of quotes. */
async function* files(
  stores: Company,
  snapshot: Snapshot,
  table: string,
  format: FileName['format'],
): AsyncGenerator<Entry> {
  for await (const row of rowsOf(snapshot, table)) {
    const { path } = row;
    if (typeof path !== 'string') continue;
    if (snapshot.early.has(path)) {
      yield await early(snapshot, row);
      continue;
    }
    const id = snapshot.ids.get(table)?.[Number(row['id']) - 1] ?? 0;
    yield await fileEntry(stores, row, { id, format });
  }
}

/** A file whose bytes are in the database or in the object store. */
async function fileEntry(
  { db, objectStore, companyId }: Company,
  row: CopiedRow,
  name: Omit<FileName, 'companyId'>,
): Promise<Entry> {
  const sha256 = Buffer.from(hexOfRow(row['sha256']), 'hex');
  const content = await readContent(db, { companyId, ...name });
  return {
    path: String(row['path']),
    content: await readBytes({ objectStore }, companyId, { sha256, content }),
    stored: name.format !== 'EHF',
  };
}
