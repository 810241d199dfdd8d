import { sha256 } from '../platform/crypto.ts';
import type { DocumentHome } from '../platform/db/delivery-tables.ts';
import { keyOf, type Stores } from './document-file.service.ts';
import {
  findToMove,
  readContent,
  setHome,
  type FileName,
  type FileToMove,
} from './document.repository.ts';

export { countFiles } from './document.repository.ts';

/** Files that are looked up by one statement, and that are on their way at once, each in memory. */
const BATCH = 200;
const AT_ONCE = 8;

/** How far a move has come. */
export interface MoveProgress {
  readonly files: number;
  readonly bytes: number;
  /** Files whose bytes are not those of their SHA-256, or are not there: they stay as they are. */
  readonly damaged: readonly string[];
}

/**
 * Moves the bytes of every document, in pieces, while others work: each is written to its new home, read
 * from there and compared with its SHA-256 before its row names that home. It may be cut off anywhere and
 * begun again. What is in the object store stays there when it moves to the database.
 *
 * @returns how far it has come, after each piece
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
      // When one throws, the others are not left under way behind its back.
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

/** How many bytes were moved; null where they are not what they should be. */
type Moved = number | null;

async function moveOut({ db, objectStore }: Stores, file: FileToMove): Promise<Moved> {
  const content = await readContent(db, file);
  // Another move was here.
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
  const damaged = batch
    .filter((_, index) => moved[index] === null)
    .map(({ companyId, documentId, format }) => `${format} of document ${companyId}/${documentId}`);
  return {
    files: progress.files + done.length,
    bytes: progress.bytes + done.reduce((sum, bytes) => sum + bytes, 0),
    damaged: [...progress.damaged, ...damaged],
  };
}
