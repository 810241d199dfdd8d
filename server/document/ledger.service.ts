import { addDays } from '../../domain/date.ts';
import type { InvoiceTotals } from '../../domain/invoice/invoice.totals.ts';
import { formatOre, ore } from '../../domain/money.ts';
import { hexOf } from '../platform/crypto.ts';
import type { Db } from '../platform/db/database.ts';
import {
  type RegisteredRow,
  type SeriesOf,
  type SeriesRow,
  countsAreRight,
  findRegistered,
  findSeries,
} from '../invoice/invoice-series.repository.ts';
import { paymentsAreRight } from '../payment/payment-check.repository.ts';
import { findSoundLogos } from '../company/logo.repository.ts';
import type { ObjectStore } from '../platform/object-store/object-store.ts';
import { totalsOf, type DocumentAttachment } from '../../domain/document/invoice-document.ts';
import { findAttachmentsOf } from './attachment.repository.ts';
import { hashText, readText, toDocument, writeText } from './document-text.ts';
import { DOCUMENT_VERSIONS, TREATMENTS_SINCE } from './document-versions.ts';
import { checkObjects } from './file-bytes.service.ts';
import type { ChainedRow, FileCheck } from './document.repository.ts';
import * as repository from './document.repository.ts';

/** Invoices read at a time, so that a million need no more memory than a thousand. */
const COMPANIES = 100;
const INVOICES = 500;

/** The result of the check for one company. */
export interface LedgerReport {
  readonly email: string;
  /** Registered invoices and credit notes that were checked. */
  readonly documents: number;
  readonly firstNumber: number | null;
  readonly lastNumber: number | null;
  /** The last hash of the chain. A copy kept elsewhere proves that the whole chain was not rewritten. */
  readonly lastHash: string | null;
  /** The first fault, or null. */
  readonly fault: string | null;
}

/** A fault in the books, in words for the operator. */
class LedgerFault extends Error {}

/**
 * Checks the books of every company, or of one by its account's address or its id, and yields a report for each. It
 * takes no locks and no snapshot: registered invoices never change, so they can be read in parts, up to the last number
 * at the start (bokføringsforskriften § 5-1-3, § 5-2-7).
 *
 * @param objectStore holds files outside of the database; without it they are not checked
 * @throws ObjectStoreAway
 */
export async function* checkLedger(
  db: Db,
  only: SeriesOf = null,
  objectStore: ObjectStore | null = null,
): AsyncGenerator<LedgerReport> {
  const books = { db, objectStore };
  let afterId = 0;
  for (;;) {
    const companies = await findSeries(db, { afterId, most: COMPANIES, only });
    for (const company of companies) yield await report(books, company);
    const last = companies.at(-1);
    if (!last) return;
    afterId = last.companyId;
  }
}

interface Books {
  readonly db: Db;
  /** Null: files outside of the database are not checked. */
  readonly objectStore: ObjectStore | null;
}

async function report(books: Books, company: SeriesRow): Promise<LedgerReport> {
  const { lastInvoiceNumber, lastDocumentHash, startInvoiceNumber } = company;
  const fault = await findFault(books, company);
  return {
    email: company.email,
    documents: lastInvoiceNumber === null ? 0 : lastInvoiceNumber - startInvoiceNumber + 1,
    firstNumber: lastInvoiceNumber === null ? null : startInvoiceNumber,
    lastNumber: lastInvoiceNumber,
    lastHash: lastDocumentHash && hexOf(lastDocumentHash),
    fault,
  };
}

async function findFault(books: Books, company: SeriesRow): Promise<string | null> {
  const { db } = books;
  try {
    checkEnds(company);
    await checkDocuments(books, company);
    if (!(await countsAreRight(db, company.companyId))) {
      throw new LedgerFault('the kept counts of invoices are not what counting gives');
    }
    if (!(await paymentsAreRight(db, company.companyId))) {
      throw new LedgerFault('what invoices and customers say of payment is not what was paid');
    }
    return null;
  } catch (error) {
    if (error instanceof LedgerFault) return error.message;
    throw error;
  }
}

/** Checks that the series ends at the company's last number. */
function checkEnds({
  startInvoiceNumber,
  lastInvoiceNumber,
  lowestNumber,
  highestNumber,
}: SeriesRow): void {
  if (lastInvoiceNumber === null && highestNumber !== null) {
    throw new LedgerFault(`invoice ${lowestNumber}: the company has registered no invoices`);
  }
  if (lowestNumber !== null && lowestNumber < startInvoiceNumber) {
    throw new LedgerFault(
      `invoice ${lowestNumber}: the series begins with ${startInvoiceNumber}, which is higher`,
    );
  }
  if (highestNumber !== null && lastInvoiceNumber !== null && highestNumber > lastInvoiceNumber) {
    throw new LedgerFault(
      `invoice ${highestNumber}: the last number that was given is ${lastInvoiceNumber}`,
    );
  }
}

async function checkDocuments(books: Books, company: SeriesRow): Promise<void> {
  const { db } = books;
  const { companyId, startInvoiceNumber, lastInvoiceNumber, lastDocumentHash } = company;
  if (lastInvoiceNumber === null) return;
  const soundLogos = await findSoundLogos(db, companyId);
  let expected = startInvoiceNumber;
  let previous: Uint8Array | null = null;
  while (expected <= lastInvoiceNumber) {
    const range = { from: expected, to: lastInvoiceNumber, most: INVOICES };
    const registered = await findRegistered(db, companyId, range);
    const issued = await findOfInvoices(books, companyId, registered);
    for (const row of registered) {
      if (row.invoiceNumber !== expected) break;
      const { document, files, attachments } = issued.get(row.id) ?? { files: [] };
      previous = checkDocument({ row, document, attachments }, previous);
      checkFiles(row, files);
      checkLogo(row, document, soundLogos);
      expected += 1;
    }
    if (registered.length === 0 || registered.at(-1)?.invoiceNumber !== expected - 1) {
      throw new LedgerFault(`invoice ${expected} is missing`);
    }
  }
  if (!sameHash(previous, lastDocumentHash)) {
    throw new LedgerFault(
      `invoice ${lastInvoiceNumber} was changed and its SHA-256 rewritten: the company's own record of it differs`,
    );
  }
}

interface Issued {
  readonly document: ChainedRow;
  readonly attachments: readonly DocumentAttachment[] | undefined;
}

/** The documents issued as these invoices, by invoice id, with their kept files. */
async function findOfInvoices(
  { db, objectStore }: Books,
  companyId: number,
  registered: readonly RegisteredRow[],
): Promise<ReadonlyMap<number, Issued & { files: readonly FileCheck[] }>> {
  const invoiceIds = registered.map(({ id }) => id);
  const attachments = await findAttachmentsOf(db, companyId, invoiceIds);
  const documents = await repository.findChained(db, companyId, invoiceIds);
  const documentIds = documents.map(({ id }) => id);
  const rows = await repository.checkFiles(db, companyId, documentIds);
  const checked = objectStore ? await checkObjects(objectStore, companyId, rows) : rows;
  const filesOf = Map.groupBy(checked, ({ documentId }) => documentId);
  return new Map(
    documents.map((document) => [
      document.invoiceId,
      {
        document,
        attachments: attachments.get(document.invoiceId),
        files: filesOf.get(document.id) ?? [],
      },
    ]),
  );
}

/** Checks one document and returns its hash, which the next one builds on. */
function checkDocument(
  { row, document, attachments }: Partial<Issued> & { readonly row: RegisteredRow },
  previous: Uint8Array | null,
): Uint8Array {
  const name = `${row.kind === 'INVOICE' ? 'invoice' : 'credit note'} ${row.invoiceNumber}`;
  if (!document) throw new LedgerFault(`${name}: its document is missing`);
  if (!sameHash(document.previousHash, previous)) {
    throw new LedgerFault(
      previous === null
        ? `${name}: it says that a document came before it, and none did`
        : `${name} was not registered after invoice ${Number(row.invoiceNumber) - 1} as that one is now: one of them was changed and its SHA-256 rewritten`,
    );
  }
  checkSums(name, row);
  checkCredit(name, row);
  if (!Object.hasOwn(DOCUMENT_VERSIONS, document.version)) {
    throw new LedgerFault(
      `${name} has a SHA-256 of version ${document.version}, which only a newer version of Faktur can check`,
    );
  }
  if (!sameHash(hashText(document.content, previous), document.hash)) {
    throw new LedgerFault(`${name} is not what was registered: its SHA-256 differs`);
  }
  if (document.content !== textOf(row, { document, attachments })) {
    throw new LedgerFault(`${name} is not what was registered: its document says something else`);
  }
  return document.hash;
}

/** The text of the invoice's current row; null when parts of it are missing. */
function textOf(row: RegisteredRow, { document, attachments }: Issued): string | null {
  const { version, content, logo } = document;
  const { seller, bankAccountNumber } = row;
  if (!seller || bankAccountNumber === null) return null;
  const issuer = { seller, bankAccountNumber, logo: logo && hexOf(logo) };
  const isTreated =
    version >= TREATMENTS_SINCE &&
    readText(content, version).lines.some(({ vatTreatment }) => vatTreatment !== null);
  return writeText(toDocument(row, issuer, isTreated, attachments), version);
}

function checkSums(name: string, row: RegisteredRow): void {
  const sums = tryTotals(row);
  const isRight =
    sums?.net === row.netAmount && sums.vat === row.vatAmount && sums.gross === row.grossAmount;
  if (!isRight) {
    const added = sums ? formatOre(sums.gross) : 'more than can be counted';
    throw new LedgerFault(
      `${name}: its lines add up to ${added}, and its total says ${formatOre(ore(row.grossAmount))} (with VAT)`,
    );
  }
  if (addDays(row.issueDate, row.dueDays) !== row.dueDate) {
    throw new LedgerFault(`${name}: it is not due ${row.dueDays} days after its issue date`);
  }
}

function tryTotals(row: Pick<RegisteredRow, 'lines' | 'vatSubtotals'>): InvoiceTotals | null {
  try {
    return totalsOf(row);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function checkCredit(name: string, row: RegisteredRow): void {
  if (row.status === 'CANCELLED' && row.notes === null) {
    throw new LedgerFault(`${name} is cancelled without a credit note`);
  }
  if (row.noteAmount !== row.creditedAmount) {
    throw new LedgerFault(
      `${name} is credited with ${formatOre(row.creditedAmount)}, and its credit notes say ${formatOre(row.noteAmount)}`,
    );
  }
  const isWhole = row.creditedAmount === row.grossAmount;
  if (
    row.kind === 'INVOICE' &&
    row.creditedAmount > 0 &&
    (row.status === 'CANCELLED') !== isWhole
  ) {
    throw new LedgerFault(
      isWhole
        ? `${name} is credited and not cancelled`
        : `${name} is cancelled, and a part of it is not credited`,
    );
  }
  if (
    row.kind === 'CREDIT_NOTE' &&
    row.creditExtent === null &&
    row.originalGross !== row.grossAmount
  ) {
    throw new LedgerFault(`${name} does not credit all of invoice ${row.originalNumber}`);
  }
}

/** Checks that sent files are stored unchanged. */
function checkFiles(row: RegisteredRow, files: readonly FileCheck[]): void {
  const altered = files.find(({ isUnaltered }) => isUnaltered === false);
  if (altered) {
    throw new LedgerFault(
      `invoice ${row.invoiceNumber}: the ${altered.format} is not the one that was kept when it was first made`,
    );
  }
  if (row.deliveryStatus === 'SENT' && !files.some(({ format }) => format === 'PDF')) {
    throw new LedgerFault(`invoice ${row.invoiceNumber}: the PDF that was sent is not kept`);
  }
}

/** Checks that the logo of a document is stored unchanged. */
function checkLogo(
  row: RegisteredRow,
  document: ChainedRow | undefined,
  soundLogos: ReadonlySet<string>,
): void {
  if (document?.logo && !soundLogos.has(hexOf(document.logo))) {
    throw new LedgerFault(
      `invoice ${row.invoiceNumber}: the logo is not the one that it was issued with`,
    );
  }
}

function sameHash(left: Uint8Array | null, right: Uint8Array | null): boolean {
  return left === null || right === null ? left === right : Buffer.from(left).equals(right);
}
