import type { Context } from '../context.ts';
import { hexOf, sha256 } from '../crypto.ts';
import type { ObjectStore } from '../object-store/object-store.ts';
import { limitTo } from '../turns.ts';
import {
  insertFiles,
  type DocumentFile,
  type FileCheck,
  type IssuedDocument,
  type KeptFile,
} from './document.repository.ts';

/** The homes of documents' bytes. */
export type Stores = Pick<Context, 'db' | 'objectStore'>;

/** As many documents are in memory. */
const READ_AT_ONCE = 8;

type Owner = Pick<IssuedDocument, 'companyId' | 'id'>;

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

/** What a file is called outside of the database. */
export function keyOf(companyId: number, hash: Uint8Array): string {
  return `${companyId}/${hexOf(hash)}`;
}
