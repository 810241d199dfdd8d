import { sql } from 'kysely';

import type { InvoiceDocument } from '../../domain/document/invoice-document.ts';
import type { Context } from '../context.ts';
import { hexOf, sha256 } from '../platform/crypto.ts';
import type { Db } from '../platform/db/database.ts';
import type { DocumentHome } from '../platform/db/delivery-tables.ts';
import type { ObjectStore } from '../platform/object-store/object-store.ts';
import { limitTo } from '../platform/db/turns.ts';
import { readText } from './document-text.ts';

/** The bytes of a document as they were first made: mailed, or shown to its seller. */
export interface DocumentFile {
  readonly format: 'PDF' | 'EHF';
  readonly content: Uint8Array;
}

/** A file of a document as its row has it. */
export interface KeptFile {
  readonly format: 'PDF' | 'EHF';
  readonly sha256: Uint8Array;
  /** Null where it lives outside of the database. */
  readonly content: Uint8Array | null;
}

/** A document as it was issued, with what is kept of its bytes. */
export interface IssuedDocument {
  readonly id: number;
  readonly companyId: number;
  readonly document: InvoiceDocument;
  /** The PDF first; none before they are first made. */
  readonly files: readonly KeptFile[];
}

/** Whether a file is the one that was kept. */
export interface FileCheck {
  readonly documentId: number;
  readonly format: 'PDF' | 'EHF';
  readonly sha256: Uint8Array;
  /** Null where its bytes live outside of the database, which cannot know. */
  readonly isUnaltered: boolean | null;
}

/** The homes of documents' bytes. */
export type Stores = Pick<Context, 'db' | 'objectStore'>;

/** How many documents are in memory at once. */
const READ_AT_ONCE = 8;

type Owner = Pick<IssuedDocument, 'companyId' | 'id'>;

/** The document issued as this invoice or credit note; null for a draft. */
export async function findIssued(
  db: Db,
  companyId: number,
  invoiceId: number,
): Promise<IssuedDocument | null> {
  const rows = await db
    .selectFrom('document')
    .leftJoin('documentFile as file', (join) =>
      join
        .onRef('file.companyId', '=', 'document.companyId')
        .onRef('file.documentId', '=', 'document.id'),
    )
    .select(['document.id', 'version', 'document.content as text'])
    .select(['format', 'sha256', 'file.content'])
    .where('document.companyId', '=', companyId)
    .where('invoiceId', '=', invoiceId)
    .where('kind', 'in', ['INVOICE', 'CREDIT_NOTE'])
    .orderBy('format', 'desc')
    .execute();
  const [first] = rows;
  if (!first) return null;
  const files = rows.flatMap(({ format, sha256, content }) =>
    format && sha256 ? { format, sha256, content } : [],
  );
  return { id: first.id, companyId, document: readText(first.text, first.version), files };
}

/**
 * Keeps files of a document that were made first, and returns what is kept in these formats: those that
 * another made meanwhile, or these. What lives outside of the database is there before its row is, so no
 * row ever names what is not. @throws ObjectStoreAway, and then nothing is kept
 */
export async function keepFiles(
  { db, objectStore }: Stores,
  document: Owner,
  files: readonly DocumentFile[],
): Promise<readonly KeptFile[]> {
  const made = files.map((file) => ({ ...file, sha256: sha256(file.content) }));
  if (!objectStore.takesNew) {
    return insertFiles(
      db,
      document,
      made.map((file) => ({ ...file, home: 'DATABASE' })),
    );
  }
  await Promise.all(
    made.map(async (file) => objectStore.put(keyOf(document.companyId, file.sha256), file.content)),
  );
  const kept = await insertFiles(
    db,
    document,
    made.map(({ format, sha256: hash }) => ({ format, sha256: hash, content: null, home: 'S3' })),
  );
  return kept.map((file) => made.find(({ sha256: hash }) => hash.equals(file.sha256)) ?? file);
}

/**
 * Adds files of a document that were made first, and returns what is kept in these formats. What was
 * there already stays, so that it is sent and shown with the same bytes ever after.
 */
async function insertFiles(
  db: Db,
  { companyId, id: documentId }: Pick<IssuedDocument, 'companyId' | 'id'>,
  files: readonly (KeptFile & { readonly home: DocumentHome })[],
): Promise<readonly KeptFile[]> {
  const added = await db
    .insertInto('documentFile')
    .values(files.map((file) => ({ companyId, documentId, ...file })))
    .onConflict((conflict) => conflict.columns(['companyId', 'documentId', 'format']).doNothing())
    .returning('format')
    .execute();
  if (added.length === files.length) return files;
  return db
    .selectFrom('documentFile')
    .select(['format', 'sha256', 'content'])
    .where('companyId', '=', companyId)
    .where('documentId', '=', documentId)
    .where(
      'format',
      'in',
      files.map(({ format }) => format),
    )
    .orderBy('format', 'desc')
    .execute();
}

/** The bytes of a file, from where its row says that they are. @throws ObjectStoreAway */
export async function readFile(
  { objectStore }: Pick<Stores, 'objectStore'>,
  companyId: number,
  { format, sha256: hash, content }: KeptFile,
): Promise<DocumentFile> {
  if (content !== null) return { format, content };
  const key = keyOf(companyId, hash);
  const stored = await objectStore.get(key);
  if (stored === null) throw new Error(`${key} is not in the document store`);
  if (!sha256(stored).equals(hash)) throw new Error(`${key} in the document store was exchanged`);
  return { format, content: stored };
}

/** The bytes of files, as `readFile` has each. */
export async function readFiles(
  stores: Pick<Stores, 'objectStore'>,
  companyId: number,
  files: readonly KeptFile[],
): Promise<readonly DocumentFile[]> {
  return Promise.all(files.map(async (file) => readFile(stores, companyId, file)));
}

/** The kept files of these documents, and whether their bytes match their SHA-256. */
export async function checkFiles(
  db: Db,
  companyId: number,
  documentIds: readonly number[],
): Promise<FileCheck[]> {
  return db
    .selectFrom('documentFile')
    .select(['documentId', 'format', 'sha256'])
    .select(sql<boolean | null>`sha256(content) = sha256`.as('isUnaltered'))
    .where('companyId', '=', companyId)
    .where(sql<boolean>`document_id = ANY(${[...documentIds]}::bigint[])`)
    .execute();
}

/** Looks at the bytes that live outside of the database, some at a time. @throws ObjectStoreAway */
export async function checkObjects(
  objectStore: ObjectStore,
  companyId: number,
  files: readonly FileCheck[],
): Promise<readonly FileCheck[]> {
  const oneOfFew = limitTo(READ_AT_ONCE);
  return Promise.all(
    files.map(async (file) =>
      file.isUnaltered === null
        ? oneOfFew(async () => ({
            ...file,
            isUnaltered: isOf(file.sha256, await objectStore.get(keyOf(companyId, file.sha256))),
          }))
        : file,
    ),
  );
}

function isOf(hash: Uint8Array, content: Uint8Array | null): boolean {
  return content !== null && sha256(content).equals(hash);
}

/** The key of a file in the object store. */
export function keyOf(companyId: number, hash: Uint8Array): string {
  return `${companyId}/${hexOf(hash)}`;
}
