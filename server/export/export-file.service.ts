import { createHash, type Hash } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, deflateRaw, inflateRaw } from 'node:zlib';

import type { Context } from '../context.ts';
import { isCheckViolation } from '../platform/db/database-errors.ts';
import { tryEach } from '../platform/jobs/job.ts';
import {
  deleteLinks,
  deleteListed,
  deletePart,
  findLeftovers,
  findPart,
  insertPart,
  listParts,
  type PartRow,
} from './export-part.repository.ts';
import { type ExportName, type ExportRow, type Making, noteProgress } from './export.repository.ts';

type Stores = Pick<Context, 'db' | 'objectStore'>;

/** Bytes of a part: what a making or a download has in memory. */
const PART_SIZE = 1024 * 1024;
/** Little of the time, and nearly all of the saving: text gets a tenth of its size. */
const PACKING = { level: constants.Z_BEST_SPEED };
const pack = promisify<Uint8Array, typeof PACKING, Buffer>(deflateRaw);
const unpack = promisify<Uint8Array, { maxOutputLength: number }, Buffer>(inflateRaw);
/** How often a making notes its progress (milliseconds). */
export const NOTED_EVERY = 1000;

/** Another making of the same export has begun, or the export was deleted. */
export class Overtaken extends Error {
  override readonly name = 'Overtaken';
}

/** The file of a making, as its row names it. */
export interface MadeFile {
  readonly sha256: Uint8Array;
  readonly size: number;
}

/** How a file is stored, and the progress of its making. */
export interface Watch {
  /** Whether its parts are packed: others are compressed already. */
  readonly packed: boolean;
  /** From 0 to 1. */
  readonly progress: () => number;
}

/**
 * Stores a file as it is printed, in parts of bounded size. Nobody sees them until the export's row names the whole
 * file.
 * @throws Overtaken, ObjectStoreAway
 */
export async function storeFile(
  stores: Stores,
  making: Making,
  printed: AsyncIterable<Uint8Array>,
  { packed, progress }: Watch,
): Promise<MadeFile> {
  const hash = createHash('sha256');
  const part = Buffer.alloc(PART_SIZE);
  let filled = 0;
  let size = 0;
  let position = 0;
  let notedAt = performance.now();
  const store = async () => {
    position += 1;
    await storePart(stores, making, { position, packed, bytes: part.subarray(0, filled) });
    filled = 0;
  };
  for await (const chunk of printed) {
    hash.update(chunk);
    size += chunk.byteLength;
    for (let start = 0; start < chunk.byteLength;) {
      const taken = chunk.subarray(start, start + PART_SIZE - filled);
      part.set(taken, filled);
      filled += taken.byteLength;
      start += taken.byteLength;
      if (filled === PART_SIZE) await store();
    }
    if (performance.now() - notedAt < NOTED_EVERY) continue;
    notedAt = performance.now();
    if (!(await noteProgress(stores.db, making, progress()))) throw new Overtaken();
  }
  if (filled > 0) await store();
  return { sha256: hash.digest(), size };
}

/** The row comes first, so that what is in the object store is always found again and removed. @throws Overtaken */
async function storePart(
  { db, objectStore }: Stores,
  making: Making,
  {
    position,
    packed,
    bytes,
  }: { readonly position: number; readonly packed: boolean; readonly bytes: Uint8Array },
): Promise<void> {
  const isOutside = objectStore.takesNew;
  const content = packed ? await pack(bytes, PACKING) : bytes;
  try {
    const size = bytes.byteLength;
    await insertPart(db, making, { position, size, packed, content: isOutside ? null : content });
  } catch (error) {
    // The database takes parts of the last making alone.
    if (isCheckViolation(error)) throw new Overtaken(undefined, { cause: error });
    throw error;
  }
  if (!isOutside) return;
  const key = keyOf(making, { attempt: making.attempt, position });
  await objectStore.put(key, content);
  if (await findPart(db, making, position)) return;
  // The row was removed meanwhile, perhaps before these bytes arrived.
  await objectStore.delete(key);
  throw new Overtaken();
}

/** The bytes of a whole file, in parts. The last part comes once the SHA-256 of all is right. */
export async function* readFile(stores: Stores, row: ExportRow): AsyncGenerator<Uint8Array> {
  const { sha256: expected, size } = row;
  if (expected === null || size === null) throw new Error(`Export ${row.uuid} has no file`);
  const hash = createHash('sha256');
  let left = size;
  for (let position = 1; left > 0; position += 1) {
    const part = await findPart(stores.db, row, position);
    if (!part) throw new Error(`Export ${row.uuid} is gone, or has lost part ${position}`);
    const stored = part.content ?? (await stores.objectStore.get(keyOf(row, part)));
    if (!stored) throw new Error(`${keyOf(row, part)} is not in the document store`);
    const content = part.packed ? await unpack(stored, { maxOutputLength: part.size }) : stored;
    hash.update(content);
    left -= content.byteLength;
    if (left <= 0) requireRight(row, hash, expected);
    yield content;
  }
}

function requireRight({ uuid }: ExportRow, hash: Hash, expected: Uint8Array): void {
  if (!hash.digest().equals(expected)) throw new Error(`The file of export ${uuid} was changed`);
}

/** The key of a part in the object store. */
function keyOf(
  { companyId, uuid }: Pick<ExportRow, 'companyId' | 'uuid'>,
  { attempt, position }: Pick<PartRow, 'attempt' | 'position'>,
): string {
  return `${companyId}/exports/${uuid}/${attempt}/${position}`;
}

/** Removes the parts of earlier makings. @throws ObjectStoreAway */
export async function removeEarlier(stores: Stores, making: Making): Promise<void> {
  await removeParts(stores, making, await listParts(stores.db, making, making.attempt));
}

/** Removes the parts, links and numbers of an export whose file is over. @throws ObjectStoreAway */
export async function removeFile(
  stores: Stores,
  row: ExportName & Pick<ExportRow, 'uuid'>,
): Promise<void> {
  await deleteLinks(stores.db, row);
  await deleteListed(stores.db, row);
  await removeParts(stores, row, await listParts(stores.db, row, null));
}

/** The object goes first: its row is what finds it. */
async function removeParts(
  { db, objectStore }: Stores,
  row: ExportName & Pick<ExportRow, 'uuid'>,
  parts: readonly PartRow[],
): Promise<void> {
  for (const part of parts) {
    if (part.home === 'S3') await objectStore.delete(keyOf(row, part));
    await deletePart(db, row, part);
  }
}

/**
 * Removes the files of exports that are deleted, expired or failed (EXP-9). One that the store does not remove holds up
 * no other.
 */
export async function removeExpired(stores: Stores): Promise<void> {
  await tryEach(await findLeftovers(stores.db), async (row) => removeFile(stores, row));
}
