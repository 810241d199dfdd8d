import { sha256 } from '../platform/crypto.ts';
import type { DocumentHome } from '../platform/db/columns.ts';
import { keyOf, type Stores } from './file-bytes.service.ts';
import {
  findToMove,
  readContent,
  setHome,
  type FileName,
  type FileToMove,
} from './file-home.repository.ts';

/** Files per statement, and files in memory at once. */
const BATCH = 200;
const AT_ONCE = 8;

export interface MoveProgress {
  readonly files: number;
  readonly bytes: number;
  /** Files that are missing or do not match their SHA-256; they are not moved. */
  readonly damaged: readonly string[];
}

/**
 * Moves the files of all documents in batches, while others work. Each file is written to its new home, read back and
 * compared with its SHA-256 before its row names that home. It may be interrupted and repeated. Files moved to the
 * database stay in the object store too.
 *
 * @returns the progress after each batch
 * @throws ObjectStoreAway
 */
export async function* moveDocuments(
  stores: Stores,
  to: DocumentHome,
): AsyncGenerator<MoveProgress> {
  const from = to === 'S3' ? 'DATABASE' : 'S3';
  const move = to === 'S3' ? moveOut : moveIn;
  let progress: MoveProgress = { files: 0, bytes: 0, damaged: [] };
  for (let after: FileName | null = null; ;) {
    const batch: FileToMove[] = await findToMove(stores.db, from, { after, most: BATCH });
    const moved: Moved[] = [];
    for (let start = 0; start < batch.length; start += AT_ONCE) {
      const few = batch.slice(start, start + AT_ONCE);
      // When one throws, the others end first.
      const ended = await Promise.allSettled(few.map(async (file) => move(stores, file)));
      moved.push(...ended.map(valueOf));
    }
    progress = add(progress, batch, moved);
    yield progress;
    after = batch.at(-1) ?? after;
    if (batch.length < BATCH) return;
  }
}

/** @throws what it was rejected with */
function valueOf(ended: PromiseSettledResult<Moved>): Moved {
  if (ended.status === 'rejected') throw ended.reason;
  return ended.value;
}

/** The number of moved bytes; null for a damaged file. */
type Moved = number | null;

async function moveOut({ db, objectStore }: Stores, file: FileToMove): Promise<Moved> {
  const content = await readContent(db, file);
  // Another process has moved it.
  if (content === null) return 0;
  if (!isOf(file, content)) return null;
  const key = keyOf(file.companyId, file.sha256);
  await objectStore.put(key, content);
  const there = await objectStore.get(key);
  if (!there || !isOf(file, there)) return null;
  await setHome(db, file, null);
  return content.byteLength;
}

async function moveIn({ db, objectStore }: Stores, file: FileToMove): Promise<Moved> {
  const content = await objectStore.get(keyOf(file.companyId, file.sha256));
  if (!content || !isOf(file, content)) return null;
  await setHome(db, file, content);
  return content.byteLength;
}

function isOf({ sha256: hash }: FileToMove, content: Uint8Array): boolean {
  return sha256(content).equals(hash);
}

function add(
  progress: MoveProgress,
  batch: readonly FileToMove[],
  moved: readonly Moved[],
): MoveProgress {
  const done = moved.filter((bytes) => bytes !== null);
  const damaged = batch.filter((_, index) => moved[index] === null).map(nameOf);
  return {
    files: progress.files + done.length,
    bytes: progress.bytes + done.reduce((sum, bytes) => sum + bytes, 0),
    damaged: [...progress.damaged, ...damaged],
  };
}

const FILE_NAMES: Partial<Record<FileName['format'], string>> = {
  ATTACHMENT: 'attachment',
  QUOTE: 'PDF of quote document',
  QUOTE_ATTACHMENT: 'attachment of quote',
};

function nameOf({ companyId, id, format }: FileName): string {
  const name = FILE_NAMES[format] ?? `${format} of document`;
  return `${name} ${companyId}/${id}`;
}
