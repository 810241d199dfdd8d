import type { InvoiceDocument } from '../../domain/document/invoice-document.ts';
import type { Context } from '../context.ts';
import { hexOf, sha256 } from '../platform/crypto.ts';
import { limitTo } from '../platform/db/turns.ts';
import type { ObjectStore } from '../platform/object-store/object-store.ts';
import type { FileCheck, KeptFile } from './document.repository.ts';
import { setHome } from './file-home.repository.ts';

// The bytes of documents' files and of files that are sent along, in the database or in the object store.

/** The places where documents' files are stored. */
export type Stores = Pick<Context, 'db' | 'objectStore'>;

/** Files in memory at once. */
const READ_AT_ONCE = 8;

/** Reads the bytes of a file from where they are. @throws ObjectStoreAway */
export async function readBytes(
  { objectStore }: Pick<Stores, 'objectStore'>,
  companyId: number,
  { sha256: hash, content }: Pick<KeptFile, 'sha256' | 'content'>,
): Promise<Uint8Array> {
  if (content !== null) return content;
  const key = keyOf(companyId, hash);
  const stored = await objectStore.get(key);
  if (stored === null) throw new Error(`${key} is not in the document store`);
  if (!sha256(stored).equals(hash)) throw new Error(`${key} in the document store was exchanged`);
  return stored;
}

/** Checks the files in the object store, some at a time. @throws ObjectStoreAway */
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

/** Files that are sent along. */
interface SentAlong {
  readonly companyId: number;
  readonly format: 'ATTACHMENT' | 'QUOTE_ATTACHMENT';
  readonly read: () => Promise<
    readonly {
      readonly id: number;
      readonly sha256: Uint8Array;
      readonly content: Uint8Array | null;
    }[]
  >;
}

/**
 * Moves the files that are sent along to the object store, if that is where documents go (DOC-26). A draft's are in the
 * database.
 */
export async function moveAttached(
  { db, objectStore }: Stores,
  { attachments }: Pick<InvoiceDocument, 'attachments'>,
  { companyId, format, read }: SentAlong,
): Promise<void> {
  if (attachments === null || !objectStore.takesNew) return;
  for (const { id, sha256: hash, content } of await read()) {
    if (content === null) continue;
    await objectStore.put(keyOf(companyId, hash), content);
    await setHome(db, { companyId, id, format }, null);
  }
}
