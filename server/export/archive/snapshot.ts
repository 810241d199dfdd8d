import type { QuoteDocument } from '../../../domain/quote/quote-document.ts';
import type { InvoiceKind, InvoiceStatus } from '../../../domain/invoice/invoice.status.ts';
import { findLogo } from '../../company/logo.repository.ts';
import type { Db, Trx } from '../../platform/db/database.ts';
import { readCompany, type CopiedIds, type CopiedRow } from '../../platform/db/company-rows.ts';
import { listDocuments } from '../../document/document.repository.ts';
import { readContent, type FileName } from '../../document/file-home.repository.ts';
import { findUnprintedQuotes } from '../../document/quote-document.repository.ts';
import {
  attachmentFolder,
  documentPath,
  draftFolder,
  logoPath,
  quoteFolder,
  quotePath,
  type ArchivedFormat,
  type NamedInvoice,
} from './archive-names.ts';
import { ARCHIVED_TABLES, STOPPED } from './archive-tables.ts';
import type { Manifest } from './manifest.ts';
import { readJsonLines, Spool } from './spool.ts';

/** An invoice as the archive lists it. */
export interface ListedInvoice extends NamedInvoice {
  readonly status: InvoiceStatus;
  readonly gross: number;
  /** The formats of its kept files, and the paths of what is sent along. */
  formats: readonly ArchivedFormat[];
  attachments: readonly string[];
}

/** A document's place in the archive. */
interface ListedDocument {
  /** The rank of its invoice. */
  readonly invoice: number;
  /** Which reminder of the invoice it is, from 1; null of the invoice itself. */
  readonly reminder: number | null;
}

/**
 * All rows of a company as they were at one moment, in temporary files. A registered document and its files never
 * change, so their bytes are read later, without a transaction; those that may be gone by then are here.
 */
export interface Snapshot {
  readonly tables: ReadonlyMap<string, Spool>;
  readonly counts: Record<string, number>;
  /** By rank, from 1. */
  readonly invoices: readonly (ListedInvoice | undefined)[];
  readonly documents: readonly (ListedDocument | undefined)[];
  /** The bytes of logos, and of files of drafts, by path. */
  readonly early: ReadonlyMap<string, () => Promise<Uint8Array>>;
  /** The database's ids by rank. */
  readonly ids: CopiedIds;
  readonly account: CopiedRow;
  readonly company: CopiedRow;
  readonly sums: Manifest['sums'];
  /** The latest date of a document or a payment. */
  readonly lastDate: string;
  close(): Promise<void>;
}

interface Making {
  readonly trx: Trx;
  readonly companyId: number;
  readonly bytes: Spool;
  readonly invoices: (ListedInvoice | undefined)[];
  readonly documents: (ListedDocument | undefined)[];
  readonly reminders: Map<number, number>;
  /** The uuids of quotes, by rank. */
  readonly quotes: (string | undefined)[];
  /** The folders of the files of what was sent, by the rank of the quote and the revision. */
  readonly quoteFolders: Map<string, string>;
  readonly early: Map<string, () => Promise<Uint8Array>>;
  readonly facts: Map<string, CopiedRow>;
  readonly sums: { -readonly [Name in keyof Manifest['sums']]: number };
  ids: CopiedIds;
  lastDate: string;
}

/** Documents were issued after the missing PDFs were printed. */
export class DocumentsIssued extends Error {
  override readonly name = 'DocumentsIssued';
}

interface Wanted {
  readonly companyId: number;
  /** The last document that has its PDF; undefined where some may lack it. */
  readonly printedTo: number | undefined;
  /** The folder of the temporary files. */
  readonly folder: string;
}

/**
 * Reads the rows of a company in one short transaction. The caller closes what it gets.
 *
 * @param onRow called for each row; what it throws ends the reading
 * @throws DocumentsIssued
 */
export async function takeSnapshot(
  db: Db,
  { companyId, printedTo, folder }: Wanted,
  onRow: () => void,
): Promise<Snapshot> {
  const spools = new Map<string, Spool>();
  const bytes = await Spool.open(folder);
  const close = async () => {
    for (const spool of [bytes, ...spools.values()]) await spool.close();
  };
  try {
    for (const { name } of ARCHIVED_TABLES) spools.set(name, await Spool.open(folder));
    return await db
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute(async (trx) => {
        if (printedTo !== undefined) await requirePrinted(trx, companyId, printedTo);
        const making = beginMaking(trx, companyId, bytes);
        const counts = Object.fromEntries(ARCHIVED_TABLES.map(({ name }) => [name, 0]));
        await readCompany(trx, companyId, ARCHIVED_TABLES, async (table, given, ids) => {
          onRow();
          making.ids = ids;
          const row = await complete(making, table, STOPPED[table]?.(given) ?? given);
          counts[table] = (counts[table] ?? 0) + 1;
          await spools.get(table)?.line(JSON.stringify(row));
        });
        const { invoices, documents, early, ids, facts, sums, lastDate } = making;
        const [account, company] = [facts.get('account'), facts.get('company')];
        if (!account || !company) throw new Error(`There is no company ${companyId}`);
        return {
          tables: spools,
          counts,
          invoices,
          documents,
          early,
          ids,
          account,
          company,
          sums,
          lastDate,
          close,
        };
      });
  } catch (error) {
    await close();
    throw error;
  }
}

async function requirePrinted(trx: Trx, companyId: number, printedTo: number): Promise<void> {
  const issued = await listDocuments(trx, companyId, { after: printedTo, most: 1 });
  const ofQuotes = await findUnprintedQuotes(trx, companyId, 1);
  if (issued.length > 0 || ofQuotes.length > 0) throw new DocumentsIssued();
}

function beginMaking(trx: Trx, companyId: number, bytes: Spool): Making {
  return {
    trx,
    companyId,
    bytes,
    invoices: [undefined],
    documents: [undefined],
    reminders: new Map(),
    quotes: [undefined],
    quoteFolders: new Map(),
    early: new Map(),
    facts: new Map(),
    sums: { net: 0, vat: 0, gross: 0, paid: 0 },
    ids: new Map(),
    lastDate: '',
  };
}

/** Notes what the archive says of a row, and gives a row with a file the file's path. */
async function complete(making: Making, table: string, row: CopiedRow): Promise<CopiedRow> {
  switch (table) {
    case 'account':
    case 'company':
      making.facts.set(table, row);
      return row;
    case 'company_logo':
      return withLogo(making, row);
    case 'invoice':
      noteInvoice(making, row);
      return row;
    case 'document':
      noteDocument(making, row);
      return row;
    case 'document_file':
      return withPath(making, row);
    case 'attachment':
      return withAttachment(making, row);
    case 'quote':
      making.quotes.push(String(row['uuid']));
      return row;
    case 'quote_document':
      return withQuotePath(making, row);
    case 'quote_attachment':
      return withQuoteAttachment(making, row);
    case 'payment':
      making.sums.paid += Number(row['amount']);
      noteDate(making, row['paid_on']);
      return row;
    default:
      return row;
  }
}

/** Hex without PostgreSQL's mark. */
export function hexOfRow(value: unknown): string {
  return String(value).slice('\\x'.length);
}

async function withLogo(making: Making, row: CopiedRow): Promise<CopiedRow> {
  const name = hexOfRow(row['sha256']);
  const path = logoPath(name);
  const content = await findLogo(making.trx, making.companyId, name);
  if (content) making.early.set(path, await making.bytes.bytes(content));
  return { ...row, path };
}

/** Shared by invoices without files: there may be many. */
const NONE: readonly never[] = [];

function noteInvoice(making: Making, row: CopiedRow): void {
  const { invoices, sums } = making;
  const kind = row['kind'] as InvoiceKind;
  const number = row['invoice_number'] as number | null;
  const gross = Number(row['gross_amount']);
  invoices.push({
    kind,
    number,
    uuid: number === null ? String(row['uuid']) : '',
    year: String(row['issue_date']).slice(0, 4),
    status: row['status'] as InvoiceStatus,
    gross,
    formats: NONE,
    attachments: NONE,
  });
  if (number === null) return;
  noteDate(making, row['issue_date']);
  const sign = kind === 'INVOICE' ? 1 : -1;
  sums.net += sign * Number(row['net_amount']);
  sums.vat += sign * Number(row['vat_amount']);
  sums.gross += sign * gross;
}

function noteDate(making: Making, date: unknown): void {
  if (String(date) > making.lastDate) making.lastDate = String(date);
}

function noteDocument({ documents, reminders }: Making, row: CopiedRow): void {
  const invoice = Number(row['invoice_id']);
  if (row['kind'] !== 'REMINDER') {
    documents.push({ invoice, reminder: null });
    return;
  }
  const reminder = (reminders.get(invoice) ?? 0) + 1;
  reminders.set(invoice, reminder);
  documents.push({ invoice, reminder });
}

function withPath(making: Making, row: CopiedRow): CopiedRow {
  const { invoice, reminder } = requireAt(making.documents, Number(row['document_id']));
  const listed = requireAt(making.invoices, invoice);
  const format = row['format'] as ArchivedFormat;
  if (reminder === null) listed.formats = [...listed.formats, format];
  return { ...row, path: documentPath(listed, reminder, format) };
}

async function withAttachment(making: Making, row: CopiedRow): Promise<CopiedRow> {
  const listed = requireAt(making.invoices, Number(row['invoice_id']));
  const path = `${attachmentFolder(listed)}/${String(row['name'])}`;
  listed.attachments = [...listed.attachments, path];
  if (listed.number === null) await readEarly(making, path, 'ATTACHMENT', 'attachment');
  return { ...row, path };
}

/** Reads the file of a draft, whose owner may take it away at any time. */
async function readEarly(
  { trx, companyId, ids, bytes, early }: Making,
  path: string,
  format: FileName['format'],
  table: string,
): Promise<void> {
  const id = ids.get(table)?.at(-1) ?? 0;
  const content = await readContent(trx, { companyId, id, format });
  if (content) early.set(path, await bytes.bytes(content));
}

/** A quote or an order confirmation; one that was never printed has no path. */
function withQuotePath({ quoteFolders }: Making, row: CopiedRow): CopiedRow {
  const document = JSON.parse(String(row['text'])) as QuoteDocument;
  if (document.kind === 'QUOTE') quoteFolders.set(revisionOf(row), quoteFolder(document));
  return { ...row, path: row['sha256'] === null ? null : quotePath(document) };
}

async function withQuoteAttachment(making: Making, row: CopiedRow): Promise<CopiedRow> {
  const folder = making.quoteFolders.get(revisionOf(row));
  const ofDraft = () => draftFolder(requireAt(making.quotes, Number(row['quote_id'])));
  const path = `${folder ?? ofDraft()}/${String(row['name'])}`;
  // One in the object store is of the sent revision too, and stays there.
  if (folder === undefined) await readEarly(making, path, 'QUOTE_ATTACHMENT', 'quote_attachment');
  return { ...row, path };
}

function revisionOf(row: CopiedRow): string {
  return `${String(row['quote_id'])}/${String(row['revision'])}`;
}

/** The one of this rank. */
export function requireAt<T>(list: readonly (T | undefined)[], rank: number): T {
  const found = list[rank];
  if (found === undefined) throw new Error(`There is no row ${rank}`);
  return found;
}

/** The archived rows of a table, in the order of their ranks. */
export async function* rowsOf(
  { tables }: Snapshot,
  table: string,
): AsyncGenerator<CopiedRow, void> {
  const spool = tables.get(table);
  if (spool) yield* readJsonLines<CopiedRow>(spool.content());
}
